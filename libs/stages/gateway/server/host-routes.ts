// Keeps endpoints and everything else apart where each has a host of its own.
import type { FastifyInstance } from 'fastify';
import { pathPrefix } from '../endpoint/path-prefix.ts';
import { ApiProblem } from '../http/api-problem.ts';
import { noSuchRoute } from '../http/problem-of.ts';

/** On the host of `endpointUrl` there are endpoints only, and nowhere else: also not where it is reached by address. */
export function keepHostsApart(fastify: FastifyInstance, endpointUrl: string): void {
  const host = hostOf(new URL(endpointUrl).host);
  fastify.addHook('onRequest', async ({ headers, routeOptions }) => {
    const isThere = hostOf(headers.host ?? '') === host;
    // Of the route, since a path may be written in several ways.
    const isEndpoint = routeOptions.url?.startsWith(pathPrefix) === true;
    if (isThere !== isEndpoint) throw new ApiProblem(404, 'not_found', noSuchRoute);
  });
}

/** Without the port: cookies do not know ports either. */
const hostOf = (host: string): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
