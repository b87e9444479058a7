// What every route of the API does before it reads a body: it asks for the key, and for room.
import type { FastifyInstance } from 'fastify';
import { sizes } from '../../../../domain/sizes.ts';
import type { Gateway } from '../../gateway.ts';
import { recogniseCaller } from '../api-key.guard.ts';
import { invalidRequest } from '../api-problem.ts';
import { expectedBytes } from '../bodies/body-room.ts';
import type { BodyRoom } from '../bodies/body-room.ts';
import { repeatedHeader } from './repeated-header.ts';

/** Streams are also where the hosted service has them. */
const apiPrefixes = ['/v1/', '/sse/'];

/** Those that Node reads one of, and says nothing of the other. */
const single: ReadonlySet<string> = new Set(['authorization', 'content-type', 'idempotency-key']);

/** As `RouteConfig` of a controller's method says it. */
interface BodyConfig {
  readonly bodyBytesMax?: number;
}

/** To be called before the routes are made. */
export function guardApiRoutes(fastify: FastifyInstance, gateway: Gateway, room: BodyRoom): void {
  fastify.addHook('onRoute', (route) => {
    if (!apiPrefixes.some((prefix) => route.url.startsWith(prefix))) return;
    const bytesMax = (route.config as BodyConfig | undefined)?.bodyBytesMax ?? sizes.smallBodyBytes;
    route.bodyLimit = bytesMax;
    route.onRequest = async (request) => {
      checkSingle(request.raw.rawHeaders);
      const { workspace } = await recogniseCaller(gateway, request);
      room.claim(request.raw, { workspace, door: 'api' }, expectedBytes(request.raw, bytesMax));
    };
    // What is parsed of a body lasts as long as the request, and so does its claim.
    route.onResponse = async (request) => room.release(request.raw);
  });
}

function checkSingle(rawHeaders: readonly string[]): void {
  const twice = repeatedHeader(rawHeaders, single);
  if (twice !== undefined) throw invalidRequest(`The header ${twice} is given more than once.`);
}
