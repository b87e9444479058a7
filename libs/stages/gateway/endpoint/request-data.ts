// Turns an endpoint's HTTP request into the data of its trigger.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { HttpRequestData } from '../../../domain/component/http/request-data.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import { withoutSessionCookies } from '../session/session-cookie.ts';
import { headersAsSent } from './content-type.ts';
import type { RequestOptions } from './request-options.ts';
import { pathBelow } from './target.ts';

/** docs/security.md, "Secrets". */
const sealedNames: ReadonlySet<string> = new Set(['authorization', 'cookie']);

export interface RequestContext {
  /** The whole URL of the request. */
  readonly url: string;
  readonly clientIp: string;
  readonly options: RequestOptions;
  readonly seal: (value: JsonObject) => Sealed;
  readonly sealBytes: (bytes: Buffer) => Sealed;
}

export function requestData(request: FastifyRequest, context: RequestContext): HttpRequestData {
  const { clear, secret } = splitHeaders(headersAsSent(request.raw));
  return {
    method: request.method,
    path: pathBelow(request),
    url: context.url,
    query: request.query as HttpRequestData['query'],
    headers: clear,
    sealedHeaders: secret === undefined ? null : context.seal(secret),
    ...bodyOf(request, context),
    ...(context.options.noRun ? { noRun: true } : {}),
    clientIp: context.clientIp,
  };
}

function bodyOf(
  { body }: FastifyRequest,
  { options, sealBytes }: RequestContext,
): Pick<HttpRequestData, 'bodyBase64' | 'sealedBody'> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  return options.noStore ? { bodyBase64: '', sealedBody: sealBytes(bytes) } : { bodyBase64: bytes.toString('base64') };
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
    const sentText = Array.isArray(value) ? value.join(', ') : (value ?? '');
    // A browser that is signed in to the console sends its session to endpoints, too.
    const text = name === 'cookie' ? withoutSessionCookies(sentText) : sentText;
    if (text === undefined) continue;
    if (sealedNames.has(name)) (secret ??= {})[name] = text;
    else clear[name] = text;
  }
  return { clear, secret };
}
