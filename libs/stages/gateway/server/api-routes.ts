// Hooks that every API route runs before it reads a body: check the key, and wait until the request can begin.
import type { FastifyInstance } from 'fastify';
import { sizes } from '../../../domain/sizes.ts';
import type { Parts } from '../parts/parts.ts';
import type { Admission } from '../admission/admission.ts';
import { authenticateCaller } from '../admission/authenticate-caller.ts';
import { invalidRequest } from '../http/api-problem.ts';
import { repeatedHeader } from './repeated-header.ts';

/** The hosted service has its streams under `/sse/`. */
const apiPrefixes = ['/v1/', '/sse/'];

/** Headers of which Node silently drops all but one value. */
const singleValueHeaders: ReadonlySet<string> = new Set(['authorization', 'content-type', 'idempotency-key']);

/** From the `RouteConfig` of a controller's method. */
interface BodyConfig {
  readonly bodyBytesMax?: number;
}

/** Must be called before the routes are registered. */
export function guardApiRoutes(fastify: FastifyInstance, parts: Parts<'access'>, admission: Admission): void {
  fastify.addHook('onRoute', (route) => {
    if (!apiPrefixes.some((prefix) => route.url.startsWith(prefix))) return;
    const bytesMax = (route.config as BodyConfig | undefined)?.bodyBytesMax ?? sizes.smallBodyBytes;
    route.bodyLimit = bytesMax;
    route.onRequest = async (request) => {
      checkNotRepeated(request.raw.rawHeaders);
      const { workspace } = await admission.identifySender(request.raw, () => authenticateCaller(parts, request));
      await admission.admit(request.raw, { workspace, trafficClass: 'api' }, bytesMax);
    };
    // The parsed body stays in memory until the request ends, and so does its claim.
    route.onResponse = async (request) => admission.release(request.raw);
  });
}

function checkNotRepeated(rawHeaders: readonly string[]): void {
  const repeated = repeatedHeader(rawHeaders, singleValueHeaders);
  if (repeated !== undefined) throw invalidRequest(`The header ${repeated} is given more than once.`);
}
