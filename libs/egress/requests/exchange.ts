// Tracks one request through all its hops: its redirects, bytes and time limits.
import type { Dispatcher } from 'undici';
import type { OriginPools } from '../pools.ts';
import { request } from '../undici.ts';
import { bufferedBytesMax } from './decode.ts';
import { failureOf, RequestFailure } from './request-failure.ts';
import { sendableFields } from './outgoing-request.ts';
import type { Field, OutgoingRequest } from './outgoing-request.ts';
import { isRedirect, redirectedRequest } from './redirect.ts';

export interface RequestBounds {
  /** From the first byte sent to the last one received, redirects included. */
  readonly timeoutMs: number;
  /** The most bytes of one response, as received and as decoded. */
  readonly answerBytes: number;
  readonly redirectsMax: number;
}

/** One HTTP request, and how it ended; `status` is null when there was no response. */
export interface Hop {
  readonly method: string;
  /** With its port unless that is the scheme's default. */
  readonly host: string;
  readonly status: number | null;
  readonly durationMs: number;
}

/** The caller's bounds and callbacks for a request. */
export interface RequestContext {
  readonly signal: AbortSignal;
  /** Called when a hop has ended. */
  readonly onHop: (hop: Hop) => void;
  /** Called with the number of received bytes; returns the reason when there are too many. */
  readonly count: (bytes: number) => string | undefined;
}

export class Exchange {
  readonly #bounds: RequestBounds;
  readonly #context: RequestContext;
  readonly #abortController = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = (): void => {
    this.#reportHop();
    this.#abortController.abort(this.#context.signal.reason);
  };
  #request: OutgoingRequest;
  #redirects = 0;
  readonly #bytes = { encoded: 0, decoded: 0 };
  #countedBytes = 0;
  #hop: { readonly host: string; readonly startedAt: number; status: number | null } | undefined;

  constructor(request: OutgoingRequest, bounds: RequestBounds, context: RequestContext) {
    this.#request = request;
    this.#bounds = bounds;
    this.#context = context;
    const seconds = bounds.timeoutMs / 1_000;
    const onTimeout = (): void =>
      this.#abortController.abort(
        new RequestFailure('ETIMEDOUT', `${this.host} gave no whole answer within ${seconds} s`),
      );
    this.#timer = setTimeout(onTimeout, bounds.timeoutMs);
    context.signal.addEventListener('abort', this.#onAbort);
    if (context.signal.aborted) this.#onAbort();
  }

  get host(): string {
    return new URL(this.#request.url).host;
  }

  get request(): OutgoingRequest {
    return this.#request;
  }

  get hasRedirected(): boolean {
    return this.#redirects > 0;
  }

  /** Aborts the connection. */
  abort(reason: unknown): void {
    this.#abortController.abort(reason);
  }

  async send(pools: OriginPools): Promise<Dispatcher.ResponseData> {
    const { method, url, path, headers, body } = this.#request;
    this.#abortController.signal.throwIfAborted();
    const target = new URL(url);
    this.#hop = { host: target.host, startedAt: performance.now(), status: null };
    const response = await request(pools.poolOf(target.origin), {
      path: path ?? target.pathname + target.search,
      method: method as Dispatcher.HttpMethod,
      headers: sendableFields(headers).flat(),
      body: body ?? null,
      signal: this.#abortController.signal,
      responseHeaders: 'raw',
      highWaterMark: bufferedBytesMax,
    });
    this.#hop.status = response.statusCode;
    return response;
  }

  /** Returns the request that a redirect leads to. Throws when it must not be followed. */
  next(response: Dispatcher.ResponseData): OutgoingRequest | undefined {
    const { redirect } = this.#request;
    const { statusCode } = response;
    const location = isRedirect(statusCode) ? fieldsOf(response).find(isLocation)?.[1] : undefined;
    if (location === undefined || redirect === 'manual') return undefined;
    if (redirect === 'error') throw new RequestFailure('ERR_REDIRECT', `${this.host} answered with a redirect`);
    if (++this.#redirects > this.#bounds.redirectsMax)
      throw new RequestFailure(
        'ERR_TOO_MANY_REDIRECTS',
        `${this.host}: more than ${this.#bounds.redirectsMax} redirects`,
      );
    const next = redirectedRequest(this.#request, statusCode, location);
    if (next === undefined)
      throw new RequestFailure('ERR_REDIRECT', `${this.host} redirects to what is no web address`);
    this.#reportHop();
    this.#request = next;
    return next;
  }

  /** Counts bytes; the larger of the two counts is checked, since a decoder can turn many bytes into almost none. */
  count(kind: 'encoded' | 'decoded', bytes: number): void {
    this.#bytes[kind] += bytes;
    const added = this.#bytes[kind] - this.#countedBytes;
    if (added <= 0) return;
    this.#countedBytes += added;
    if (this.#countedBytes > this.#bounds.answerBytes) throw this.#tooLargeError();
    const excessReason = this.#context.count(added);
    if (excessReason !== undefined) throw new RequestFailure('ERR_LIMIT', excessReason);
  }

  /** Throws on an announced length that is too large, before a byte of the body is read. */
  checkExpectedLength(bytes: number): void {
    if (bytes > this.#bounds.answerBytes) throw this.#tooLargeError();
  }

  /** Called once, at the end of the last hop; returns the error to throw. */
  finish(error?: unknown): unknown {
    clearTimeout(this.#timer);
    this.#context.signal.removeEventListener('abort', this.#onAbort);
    this.#reportHop();
    const { signal } = this.#abortController;
    const cause: unknown = signal.aborted ? signal.reason : error;
    if (error !== undefined) this.abort(error);
    return cause === this.#context.signal.reason && this.#context.signal.aborted ? cause : failureOf(this.host, cause);
  }

  #tooLargeError(): RequestFailure {
    return new RequestFailure('ERR_LIMIT', `${this.host}: the answer has more than ${this.#bounds.answerBytes} bytes`);
  }

  #reportHop(): void {
    const hop = this.#hop;
    if (hop === undefined) return;
    this.#hop = undefined;
    const { host, startedAt, status } = hop;
    this.#context.onHop({ method: this.#request.method, host, status, durationMs: performance.now() - startedAt });
  }
}

const isLocation = ([name]: Field): boolean => name.toLowerCase() === 'location';

/** With `responseHeaders: 'raw'` names and values alternate, as received. */
export function fieldsOf({ headers }: Dispatcher.ResponseData): readonly Field[] {
  const raw = headers as unknown as readonly (string | Buffer)[];
  const fields: Field[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    fields.push([text(raw[index]), text(raw[index + 1])]);
  }
  return fields;
}

const text = (value: string | Buffer | undefined): string =>
  typeof value === 'string' ? value : (value?.toString('latin1') ?? '');
