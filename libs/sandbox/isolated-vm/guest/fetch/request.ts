// The web's Request.
import { AbortController } from '../web/event-target.ts';
import type { AbortSignal } from '../web/event-target.ts';
import { URL } from '../web/url.ts';
import { Body } from './body.ts';
import { Headers } from './headers.ts';
import type { HeadersInit } from './headers.ts';

export interface RequestInit {
  readonly method?: unknown;
  readonly headers?: HeadersInit;
  readonly body?: unknown;
  readonly redirect?: unknown;
  readonly signal?: AbortSignal | null;
}

/** Methods that are converted to upper case; others keep their case. */
const uppercased = /^(delete|get|head|options|post|put)$/i;
const forbidden = /^(connect|trace|track)$/i;
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,32}$/;

function methodOf(value: unknown): string {
  const method = String(value);
  if (!token.test(method) || forbidden.test(method)) throw new TypeError(`'${method}' is not a valid HTTP method.`);
  return uppercased.test(method) ? method.toUpperCase() : method;
}

function urlOf(input: unknown): string {
  let url;
  try {
    url = new URL(String(input));
  } catch {
    // The message omits the URL, which can contain secrets.
    throw Object.assign(new TypeError('Failed to parse URL'), { code: 'ERR_INVALID_URL' });
  }
  if (url.username || url.password)
    throw new TypeError('Request cannot be constructed from a URL that includes credentials');
  return url.href;
}

export class Request extends Body {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly redirect: string;
  readonly signal: AbortSignal;
  readonly duplex = 'half';

  constructor(input: unknown, init: RequestInit = {}) {
    super();
    const original = input instanceof Request ? input : undefined;
    this.url = original?.url ?? urlOf(input);
    this.method = init.method === undefined ? (original?.method ?? 'GET') : methodOf(init.method);
    this.headers = new Headers(init.headers ?? original?.headers);
    this.redirect = String(init.redirect ?? original?.redirect ?? 'follow');
    if (!/^(follow|error|manual)$/.test(this.redirect)) throw new TypeError(`redirect must be follow, error or manual`);
    this.signal = init.signal ?? original?.signal ?? new AbortController().signal;
    const body = init.body ?? (original === undefined ? null : Body.share(original));
    if (body !== null && /^(GET|HEAD)$/.test(this.method))
      throw new TypeError('Request with GET/HEAD method cannot have body.');
    const type = Body.give(this, body);
    if (type !== null && !this.headers.has('content-type')) this.headers.set('content-type', type);
  }
  static bodyOf(request: Request): Promise<Uint8Array | undefined> {
    return Body.take(request);
  }
  clone(): Request {
    return new Request(this);
  }
  get [Symbol.toStringTag](): string {
    return 'Request';
  }
}
