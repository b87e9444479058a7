// The one place where a thrown thing becomes an answer of the REST API.
import { Catch, Inject } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Gateway } from '../gateway.ts';
import type { GatewayOptions } from '../gateway-options.ts';
import { ApiProblem } from './api-problem.ts';
import { internalProblem, problemOf } from './problem-of.ts';
import { RouteTable } from './route-table.ts';
import { sendProblem } from './send-problem.ts';

@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #logger: GatewayOptions['logger'];
  readonly #routes: RouteTable;

  constructor(@Inject(Gateway) gateway: Gateway, @Inject(RouteTable) routes: RouteTable) {
    this.#logger = gateway.options.logger;
    this.#routes = routes;
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const problem = this.#allowedInstead(problemOf(thrown), request) ?? this.#internal(thrown, request);
    if (!reply.sent) sendProblem(reply, problem);
  }

  /** A path that exists under another method is 405, not 404. */
  #allowedInstead(problem: ApiProblem | undefined, request: FastifyRequest): ApiProblem | undefined {
    if (problem?.status !== 404 || !request.is404) return problem;
    const methods = this.#routes.methodsOf(request.url.split('?', 1)[0] ?? '/');
    if (methods.length === 0) return problem;
    const allow = methods.join(', ');
    return new ApiProblem(405, 'method_not_allowed', `This path takes ${allow}.`, { headers: { allow } });
  }

  #internal(thrown: unknown, request: FastifyRequest): ApiProblem {
    this.#logger.error({ err: thrown, method: request.method, route: request.routeOptions.url }, 'request failed');
    return internalProblem();
  }
}
