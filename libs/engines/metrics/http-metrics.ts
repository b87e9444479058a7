// Counts answered requests by the pattern of their route: nothing that a client sends becomes a label.
import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Memo } from '../../primitives/metrics/memo.ts';
import type { Metrics } from '../../primitives/metrics/metrics.ts';
import { families } from '../../stages/loop/measuring/families.ts';

const labelledMethods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
const methods = new Map(METHODS.map((method) => [method, labelledMethods.has(method) ? method : 'other']));

/** Call before the routes are registered. */
export function countRequests(fastify: FastifyInstance, metrics: Metrics): void {
  const counts = new Memo(
    (route: string) =>
      new Memo(
        (method: string) =>
          new Memo((digit: number) => metrics.count(families.requests, { route, method, status: `${digit}xx` })),
      ),
  );
  fastify.addHook('onResponse', (request, reply, done) => {
    const method = methods.get(request.method) ?? 'other';
    const digit = Math.floor(reply.statusCode / 100);
    counts
      .of(request.routeOptions.url ?? 'none')
      .of(method)
      .of(digit).value++;
    done();
  });
}
