// Turns everything that is thrown in the REST API into an answer.
import { Catch, Inject } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PortError } from '../../../domain/port-error.ts';
import { GatewayParts } from '../parts/parts.ts';
import type { Parts } from '../parts/parts.ts';
import type { GatewayOptions } from '../gateway-options.ts';
import { ApiProblem, tooLarge } from '../http/api-problem.ts';
import { internalProblem, problemOf } from '../http/problem-of.ts';
import { RouteTable } from './route-table.ts';
import { sendProblem } from '../http/send-problem.ts';

@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #logger: GatewayOptions['logger'];
  readonly #routes: RouteTable;

  constructor(@Inject(GatewayParts) parts: Parts<'logger'>, @Inject(RouteTable) routes: RouteTable) {
    this.#logger = parts.logger;
    this.#routes = routes;
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const problem = this.#specificProblem(thrown, request) ?? problemOf(thrown) ?? this.#internal(thrown, request);
    if (!reply.sent) sendProblem(reply, problem);
  }

  /** The API's own message if it is more specific than the framework's. */
  #specificProblem(thrown: unknown, { is404, url, routeOptions }: FastifyRequest): ApiProblem | undefined {
    if (thrown instanceof ApiProblem || thrown instanceof PortError) return undefined;
    const status = problemOf(thrown)?.status;
    if (status === 413) return tooLarge(`The body is larger than ${routeOptions.bodyLimit} bytes.`);
    return status === 404 && is404 ? this.#routes.refusalOf(url) : undefined;
  }

  #internal(thrown: unknown, request: FastifyRequest): ApiProblem {
    this.#logger.error({ err: thrown, method: request.method, route: request.routeOptions.url }, 'request failed');
    return internalProblem();
  }
}
