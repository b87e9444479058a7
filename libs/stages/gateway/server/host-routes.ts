// Keeps endpoints and all other routes apart if each has its own host.
import type { FastifyInstance } from 'fastify';
import { pathPrefix } from '../endpoint/path-prefix.ts';
import { ApiProblem } from '../http/api-problem.ts';
import { noSuchRoute } from '../http/problem-of.ts';

/** Serves endpoints only on the host of `endpointUrl`, not by IP address either, and nothing else on this host. */
export function keepHostsApart(fastify: FastifyInstance, endpointUrl: string): void {
  const host = hostOf(new URL(endpointUrl).host);
  fastify.addHook('onRequest', async ({ headers, routeOptions }) => {
    const isThere = hostOf(headers.host ?? '') === host;
    // Uses the matched route, since a path can be written in several ways.
    const isEndpoint = routeOptions.url?.startsWith(pathPrefix) === true;
    if (isThere !== isEndpoint) throw new ApiProblem(404, 'not_found', noSuchRoute);
  });
}

/** Without the port: cookies ignore ports, too. */
const hostOf = (host: string): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
