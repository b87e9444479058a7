// The target of a request to an endpoint: the component gets the path below the endpoint as the client wrote it.
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { EndpointHosts } from '../../../domain/source/endpoint/endpoint-hosts.ts';
import { pathPrefix } from '../../../domain/source/endpoint/endpoint-url.ts';
import { originForm, pathOf } from '../http/request-target.ts';

type Targeted = Pick<IncomingMessage, 'url' | 'headers'>;

/**
 * Returns the target for the router: that of `originForm`, below `/e/KEY` also if the host names the endpoint. The
 * router rejects escapes that it cannot decode, such as `%zz` or those of Latin-1: after an endpoint's key it finds
 * none.
 */
export const targetRouter =
  (hosts: EndpointHosts) =>
  (message: Targeted): string => {
    const sent = originForm(message);
    const key = hosts.keyOf(message.headers.host);
    const target = key !== undefined && sent.startsWith('/') ? `${pathPrefix}${key}${sent}` : sent;
    if (!target.startsWith(pathPrefix)) return target;
    const path = pathOf(target);
    const below = path.indexOf('/', pathPrefix.length);
    if (below === -1 || !path.includes('%', below)) return target;
    return path.slice(0, below) + path.slice(below).replaceAll('%', '%25') + target.slice(path.length);
  };

export const targetAsSent = ({ originalUrl }: FastifyRequest): string => originForm({ url: originalUrl });

/** Not decoded. Taken from the target for the router, which begins with prefix and key wherever the client named it. */
export function pathBelow({ raw: { url = '/' } }: FastifyRequest): string {
  const below = `/${pathOf(url).split('/').slice(3).join('/')}`;
  return url.startsWith(pathPrefix) ? below.replaceAll('%25', '%') : below;
}
