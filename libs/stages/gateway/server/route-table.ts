// Knows which methods each path has: needed to answer 405, and not available from the router.
import { Injectable } from '@nestjs/common';
import { ApiProblem } from '../http/api-problem.ts';
import { noSuchRoute } from '../http/problem-of.ts';
import { pathOf } from '../http/request-target.ts';

interface Route {
  readonly pattern: RegExp;
  readonly methods: readonly string[];
}

@Injectable()
export class RouteTable {
  readonly #routes: Route[] = [];

  add(url: string, methods: string | readonly string[]): void {
    const escaped = url
      .replace(/\/+$/, '')
      .split('/')
      .map((part) =>
        part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
      )
      .join('/');
    this.#routes.push({ pattern: new RegExp(`^${escaped}/?$`), methods: [methods].flat() });
  }

  /** The refusal if the router finds no route: 405 for a path that exists with another method, otherwise 404. */
  refusalOf(url: string): ApiProblem {
    return this.methodNotAllowed(url) ?? new ApiProblem(404, 'not_found', noSuchRoute);
  }

  /** A 405 that lists the methods of the path; undefined: there is no such path. */
  methodNotAllowed(url: string): ApiProblem | undefined {
    const methods = this.#methodsOf(pathOf(url));
    if (methods.length === 0) return undefined;
    const allow = methods.join(', ');
    return new ApiProblem(405, 'method_not_allowed', `This path takes ${allow}.`, { headers: { allow } });
  }

  /** In alphabetical order. */
  #methodsOf(path: string): readonly string[] {
    const methods = this.#routes.filter((route) => route.pattern.test(path)).flatMap((route) => route.methods);
    return [...new Set(methods)].sort();
  }
}
