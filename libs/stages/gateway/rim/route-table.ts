// Which methods a path takes: what the router knows but does not tell, needed to answer 405.
import { Injectable } from '@nestjs/common';

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
    this.#routes.push({ pattern: new RegExp(`^${escaped}/*$`), methods: [methods].flat() });
  }

  /** In alphabetic order; empty when there is no such path. */
  methodsOf(path: string): readonly string[] {
    const methods = this.#routes.filter((route) => route.pattern.test(path)).flatMap((route) => route.methods);
    return [...new Set(methods)].sort();
  }
}
