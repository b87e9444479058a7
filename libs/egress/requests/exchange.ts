// Tracks one request through all its hops: its redirects, bytes and time limits.
import type { Dispatcher } from 'undici';
import type { OriginPools } from '../pools.ts';
import { request } from '../undici.ts';
import { heldBytesMax } from './decode.ts';
import { failureOf, RequestFailure } from './request-failure.ts';
import { sentFields } from './outgoing.ts';
import type { Field, Outgoing } from './outgoing.ts';
import { isRedirect, redirected } from './redirect.ts';

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
export interface Asker {
  readonly signal: AbortSignal;
  /** Called when a hop has ended. */
  readonly onHop: (hop: Hop) => void;
  /** Called with the number of received bytes; returns the reason when there are too many. */
  readonly count: (bytes: number) => string | undefined;
}

export class Exchange {
  readonly #bounds: RequestBounds;
  readonly #asker: Asker;
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #aborted = (): void => {
    this.#tellHop();
    this.#ending.abort(this.#asker.signal.reason);
  };
  #request: Outgoing;
  #redirects = 0;
  readonly #bytes = { encoded: 0, decoded: 0 };
  #countedBytes = 0;
  #hop: { readonly host: string; readonly startedAt: number; status: number | null } | undefined;

  constructor(request: Outgoing, bounds: RequestBounds, asker: Asker) {
    this.#request = request;
    this.#bounds = bounds;
    this.#asker = asker;
    const seconds = bounds.timeoutMs / 1_000;
    const late = (): void =>
      this.#ending.abort(new RequestFailure('ETIMEDOUT', `${this.where} gave no whole answer within ${seconds} s`));
    this.#timer = setTimeout(late, bounds.timeoutMs);
    asker.signal.addEventListener('abort', this.#aborted);
    if (asker.signal.aborted) this.#aborted();
  }

  get where(): string {
    return new URL(this.#request.url).host;
  }

  get request(): Outgoing {
    return this.#request;
  }

  get hasRedirected(): boolean {
    return this.#redirects > 0;
  }

  /** Aborts the connection. */
  abort(reason: unknown): void {
    this.#ending.abort(reason);
  }

  async send(pools: OriginPools): Promise<Dispatcher.ResponseData> {
    const { method, url, path, headers, body } = this.#request;
    this.#ending.signal.throwIfAborted();
    const target = new URL(url);
    this.#hop = { host: target.host, startedAt: performance.now(), status: null };
    const response = await request(pools.of(target.origin), {
      path: path ?? target.pathname + target.search,
      method: method as Dispatcher.HttpMethod,
      headers: sentFields(headers).flat(),
      body: body ?? null,
      signal: this.#ending.signal,
      responseHeaders: 'raw',
      highWaterMark: heldBytesMax,
    });
    this.#hop.status = response.statusCode;
    return response;
  }

  /** Returns the request that a redirect leads to. Throws when it must not be followed. */
  next(response: Dispatcher.ResponseData): Outgoing | undefined {
    const { redirect } = this.#request;
    const { statusCode } = response;
    const location = isRedirect(statusCode) ? fieldsOf(response).find(isLocation)?.[1] : undefined;
    if (location === undefined || redirect === 'manual') return undefined;
    if (redirect === 'error') throw new RequestFailure('ERR_REDIRECT', `${this.where} answered with a redirect`);
    if (++this.#redirects > this.#bounds.redirectsMax)
      throw new RequestFailure(
        'ERR_TOO_MANY_REDIRECTS',
        `${this.where}: more than ${this.#bounds.redirectsMax} redirects`,
      );
    const next = redirected(this.#request, statusCode, location);
    if (next === undefined)
      throw new RequestFailure('ERR_REDIRECT', `${this.where} redirects to what is no web address`);
    this.#tellHop();
    this.#request = next;
    return next;
  }

  /** Counts bytes; the larger of the two counts is checked, since a decoder can turn many bytes into almost none. */
  count(kind: 'encoded' | 'decoded', bytes: number): void {
    this.#bytes[kind] += bytes;
    const more = this.#bytes[kind] - this.#countedBytes;
    if (more <= 0) return;
    this.#countedBytes += more;
    if (this.#countedBytes > this.#bounds.answerBytes) throw this.#tooLarge();
    const tooMany = this.#asker.count(more);
    if (tooMany !== undefined) throw new RequestFailure('ERR_LIMIT', tooMany);
  }

  /** Throws on an announced length that is too large, before a byte of the body is read. */
  expect(bytes: number): void {
    if (bytes > this.#bounds.answerBytes) throw this.#tooLarge();
  }

  /** Called once, at the end of the last hop; returns the error to throw. */
  end(error?: unknown): unknown {
    clearTimeout(this.#timer);
    this.#asker.signal.removeEventListener('abort', this.#aborted);
    this.#tellHop();
    const { signal } = this.#ending;
    const cause: unknown = signal.aborted ? signal.reason : error;
    if (error !== undefined) this.abort(error);
    return cause === this.#asker.signal.reason && this.#asker.signal.aborted ? cause : failureOf(this.where, cause);
  }

  #tooLarge(): RequestFailure {
    return new RequestFailure('ERR_LIMIT', `${this.where}: the answer has more than ${this.#bounds.answerBytes} bytes`);
  }

  #tellHop(): void {
    const hop = this.#hop;
    if (hop === undefined) return;
    this.#hop = undefined;
    const { host, startedAt, status } = hop;
    this.#asker.onHop({ method: this.#request.method, host, status, durationMs: performance.now() - startedAt });
  }
}

const isLocation = ([name]: Field): boolean => name.toLowerCase() === 'location';

/** With `responseHeaders: 'raw'` names and values alternate, as received. */
export function fieldsOf({ headers }: Dispatcher.ResponseData): readonly Field[] {
  const raw = headers as unknown as readonly (string | Buffer)[];
  const fields: Field[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    fields.push([text(raw[at]), text(raw[at + 1])]);
  }
  return fields;
}

const text = (value: string | Buffer | undefined): string =>
  typeof value === 'string' ? value : (value?.toString('latin1') ?? '');
