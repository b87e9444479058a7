// Builds raw requests with ordinary parts, so that each case shows only what is hostile about it.
import type { RawRequest, RequestAttack, Target } from '../attack.ts';

export interface WireRequest {
  readonly method?: string;
  /** The request target, sent unchanged. */
  readonly path: string;
  /** Header fields, sent unchanged in addition to `Host` and the length. */
  readonly fields?: readonly string[];
  readonly body?: string | Buffer;
  /** Absent: the request has the API key. */
  readonly keyless?: true;
  /** By default `application/json` if there is a body. */
  readonly type?: string;
}

/** An API request that is ordinary except for what is given. */
export function formatRequest(
  { host, apiKey }: Target,
  { method, path, fields = [], body, keyless, type }: WireRequest,
): RawRequest {
  const head = [
    `${method ?? (body === undefined ? 'GET' : 'POST')} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...(keyless ? [] : [`Authorization: Bearer ${apiKey}`]),
    ...(body === undefined
      ? []
      : [`Content-Type: ${type ?? 'application/json'}`, `Content-Length: ${Buffer.byteLength(body)}`]),
    ...fields,
  ];
  return { head, ...(body === undefined ? {} : { body }) };
}

export type ExpectedResponse = Omit<RequestAttack, 'kind' | 'name' | 'request'>;

/** A case with an API request, by default with the key. */
export const apiRequest = (
  name: string,
  sent: WireRequest | (() => WireRequest),
  expected: ExpectedResponse,
): RequestAttack => ({
  kind: 'request',
  name,
  request: (target) => formatRequest(target, typeof sent === 'function' ? sent() : sent),
  ...expected,
});

/** A case with a request to the endpoint that answers with what it saw; `path` follows the endpoint's key. */
export const endpointRequest = (name: string, sent: () => WireRequest, expected: ExpectedResponse): RequestAttack => ({
  kind: 'request',
  name,
  request: (target) => {
    const wired = sent();
    return formatRequest(target, { ...wired, keyless: true, path: `${target.echoPath}${wired.path}` });
  },
  ...expected,
});

export const invalid: ExpectedResponse = { statuses: [400], code: 'invalid_request' };
export const unauthorized: ExpectedResponse = { statuses: [401], code: 'unauthorized' };

/** JSON text of so many nested arrays. */
export const brackets = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
