// An endpoint's HTTP request as its trigger holds it.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { HttpRequestData } from '../../../domain/component/messages.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import { headersAsSent } from './content-type.ts';
import { pathPrefix } from './path-prefix.ts';

/** architecture.md, "Secrets". */
const sealedNames: ReadonlySet<string> = new Set(['authorization', 'cookie']);

export interface RequestContext {
  readonly publicUrl: string;
  readonly seal: (value: JsonObject) => Sealed;
}

export function requestData(request: FastifyRequest, endpointKey: string, context: RequestContext): HttpRequestData {
  const { clear, secret } = splitHeaders(headersAsSent(request.raw));
  const body = request.body;
  return {
    method: request.method,
    path: pathBelow(request.url, endpointKey),
    url: context.publicUrl + request.url,
    query: request.query as HttpRequestData['query'],
    headers: clear,
    sealedHeaders: secret === undefined ? null : context.seal(secret),
    bodyBase64: Buffer.isBuffer(body) ? body.toString('base64') : '',
    clientIp: request.ip,
  };
}

/** As the client wrote it, not decoded. */
function pathBelow(url: string, endpointKey: string): string {
  const end = url.indexOf('?');
  const path = url.slice(pathPrefix.length + endpointKey.length, end === -1 ? undefined : end);
  return path.startsWith('/') ? path : `/${path}`;
}

interface SplitHeaders {
  readonly clear: Record<string, string>;
  readonly secret: Record<string, string> | undefined;
}

function splitHeaders(headers: IncomingHttpHeaders): SplitHeaders {
  const clear: Record<string, string> = {};
  let secret: Record<string, string> | undefined;
  for (const name in headers) {
    const value = headers[name];
    const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
    if (sealedNames.has(name)) (secret ??= {})[name] = text;
    else clear[name] = text;
  }
  return { clear, secret };
}
