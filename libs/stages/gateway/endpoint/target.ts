// The target of a request to an endpoint: the component gets the path after the key as the client wrote it.
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { originForm, pathOf } from '../http/request-target.ts';
import { pathPrefix } from './path-prefix.ts';

/**
 * The target for the router, which rejects escapes that it cannot decode, such as `%zz` or those of Latin-1: after an
 * endpoint's key it finds none. Every other target is that of `originForm`.
 */
export function routedTarget(message: Pick<IncomingMessage, 'url'>): string {
  const target = originForm(message);
  if (!target.startsWith(pathPrefix)) return target;
  const path = pathOf(target);
  const below = path.indexOf('/', pathPrefix.length);
  if (below === -1 || !path.includes('%', below)) return target;
  return path.slice(0, below) + path.slice(below).replaceAll('%', '%25') + target.slice(path.length);
}

export const targetAsSent = ({ originalUrl }: FastifyRequest): string => originForm({ url: originalUrl });

/** Not decoded; the first two segments, prefix and key, can contain escapes. */
export const pathBelow = (request: FastifyRequest): string =>
  `/${pathOf(targetAsSent(request)).split('/').slice(3).join('/')}`;
