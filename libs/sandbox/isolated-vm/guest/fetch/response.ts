// The web's Response.
import { jsonStringify } from '../core/primordials.ts';
import { Body } from './body.ts';
import { Headers } from './headers.ts';
import type { HeadersInit } from './headers.ts';

export interface ResponseInit {
  readonly status?: number;
  readonly statusText?: string;
  readonly headers?: HeadersInit;
}

interface Origin {
  readonly url: string;
  readonly redirected: boolean;
  /** Absent: the Response was constructed, not fetched. */
  readonly type?: 'basic';
}

const redirectStatuses = [301, 302, 303, 307, 308];

export class Response extends Body {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly type: string = 'default';
  #origin: Origin = { url: '', redirected: false };

  constructor(body?: unknown, init: ResponseInit = {}) {
    super();
    this.status = Number(init.status ?? 200);
    if (!(this.status >= 200 && this.status <= 599)) throw new RangeError('status must be from 200 to 599');
    this.statusText = String(init.statusText ?? '');
    this.headers = new Headers(init.headers);
    const type = Body.give(this, body);
    if (type !== null && !this.headers.has('content-type')) this.headers.set('content-type', type);
  }
  /** A server's response, which can have any status. */
  static of(body: unknown, init: ResponseInit, origin: Origin): Response {
    const response = new Response(body, { ...init, status: 200 });
    response.#origin = origin;
    return Object.assign(response, { status: Number(init.status ?? 200), type: origin.type ?? 'default' });
  }
  static json(data: unknown, init: ResponseInit = {}): Response {
    const headers = new Headers(init.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    return new Response(jsonStringify(data), { ...init, headers });
  }
  static redirect(url: unknown, status = 302): Response {
    if (!redirectStatuses.includes(status)) throw new RangeError('Invalid status code');
    return new Response(null, { status, headers: { location: String(url) } });
  }
  static error(): Response {
    return Object.assign(new Response(), { status: 0, type: 'error' });
  }
  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }
  get url(): string {
    return this.#origin.url;
  }
  get redirected(): boolean {
    return this.#origin.redirected;
  }
  clone(): Response {
    const { status, statusText, headers } = this;
    return Response.of(Body.share(this), { status, statusText, headers }, this.#origin);
  }
  get [Symbol.toStringTag](): string {
    return 'Response';
  }
}
