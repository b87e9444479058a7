// Counts the requests that were answered, by the pattern of their route: what a client sends is never a label.
import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../primitives/metrics/metrics.ts';
import type { Count } from '../../primitives/metrics/series.ts';
import { families } from '../../stages/loop/measuring/families.ts';

const shown: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
const methods = new Map(METHODS.map((method) => [method, shown.has(method) ? method : 'other']));

/** Of one route, by method and then by the first digit of the status. */
type Route = Map<string, Map<number, Count>>;

/** To be called before the routes are made. */
export function countRequests(fastify: FastifyInstance, metrics: Metrics): void {
  const routes = new Map<string, Route>();
  fastify.addHook('onResponse', (request, reply, done) => {
    const { url: pattern } = request.routeOptions;
    const method = methods.get(request.method) ?? 'other';
    countOf(metrics, routes, { route: pattern ?? 'none', method, digit: Math.floor(reply.statusCode / 100) }).value++;
    done();
  });
}

interface Answered {
  readonly route: string;
  readonly method: string;
  readonly digit: number;
}

function countOf(metrics: Metrics, routes: Map<string, Route>, { route, method, digit }: Answered): Count {
  const ofRoute: Route = routes.get(route) ?? new Map<string, Map<number, Count>>();
  const ofMethod = ofRoute.get(method) ?? new Map<number, Count>();
  const count = ofMethod.get(digit);
  if (count !== undefined) return count;
  const made = metrics.count(families.requests, { route, method, status: `${digit}xx` });
  routes.set(route, ofRoute.set(method, ofMethod.set(digit, made)));
  return made;
}
