// Keeps endpoints and all other routes apart if they have different hosts.
import type { FastifyInstance } from 'fastify';
import type { EndpointHosts } from '../../../domain/source/endpoint/endpoint-hosts.ts';
import { pathPrefix } from '../../../domain/source/endpoint/endpoint-url.ts';
import { ApiProblem } from '../http/api-problem.ts';
import { noSuchRoute } from '../http/problem-of.ts';

/** Serves endpoints only on their hosts, not by IP address either, and nothing else there. */
export function separateHosts(fastify: FastifyInstance, hosts: EndpointHosts): void {
  fastify.addHook('onRequest', async ({ headers, routeOptions }) => {
    // Uses the matched route, since a path can be written in several ways.
    const isEndpoint = routeOptions.url?.startsWith(pathPrefix) === true;
    if (hosts.isOfEndpoints(headers.host) !== isEndpoint) throw new ApiProblem(404, 'not_found', noSuchRoute);
  });
}
