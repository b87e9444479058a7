// Requests as they stand on the wire: what they have in common, so that each case shows only what is hostile about it.
import type { RawRequest, RequestAttack, Target } from '../attack.ts';

export interface Wire {
  readonly method?: string;
  /** The request target as it is sent. */
  readonly path: string;
  /** Fields as they are sent, beside `Host` and the length. */
  readonly fields?: readonly string[];
  readonly body?: string | Buffer;
  /** Without it the request has the API key. */
  readonly keyless?: true;
  /** By default `application/json`, where there is a body. */
  readonly type?: string;
}

/** A request to the API that is well in all but what it is told. */
export function wire({ host, apiKey }: Target, { method, path, fields = [], body, keyless, type }: Wire): RawRequest {
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

export type Expected = Omit<RequestAttack, 'kind' | 'name' | 'request'>;

/** To the API, with the key unless it says otherwise. */
export const api = (name: string, sent: Wire | (() => Wire), expected: Expected): RequestAttack => ({
  kind: 'request',
  name,
  request: (target) => wire(target, typeof sent === 'function' ? sent() : sent),
  ...expected,
});

/** To the endpoint that tells what it saw; `path` is what follows its key. */
export const endpoint = (name: string, sent: () => Wire, expected: Expected): RequestAttack => ({
  kind: 'request',
  name,
  request: (target) => {
    const wired = sent();
    return wire(target, { ...wired, keyless: true, path: `${target.echoPath}${wired.path}` });
  },
  ...expected,
});

export const invalid: Expected = { statuses: [400], code: 'invalid_request' };
export const unauthorized: Expected = { statuses: [401], code: 'unauthorized' };

/** Text of so many arrays, each in the other. */
export const brackets = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
