// undici's request and stream: HTTP requests whose response is a Node stream with the web's methods of reading it.
import { Readable } from 'node:stream';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { askedBy, globalDispatcher, isComposed } from './composing.ts';
import type { Ask } from './composing.ts';
import { fieldsOf } from './fields.ts';
import type { Fields } from './fields.ts';
import { redirecting } from './interceptors.ts';
import { InvalidArgumentError, ResponseError } from './undici-errors.ts';

type HeaderInit = Fields | readonly string[] | Iterable<readonly [string, string]> | null;

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: HeaderInit;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly headersTimeout?: number;
  readonly bodyTimeout?: number;
  readonly throwOnError?: boolean;
  readonly opaque?: unknown;
  readonly dispatcher?: unknown;
  /** Only in versions before 7, which had no interceptor for it. */
  readonly maxRedirections?: number;
}

export interface Answer {
  readonly statusCode: number;
  readonly statusText: string;
  readonly headers: Fields;
  readonly trailers: Fields;
  readonly opaque: unknown;
  readonly context: object;
  readonly body: Readable;
}

/** Accepts a flat list of names and values, pairs, or an object, whose lists become several headers. */
function headersOf(given: HeaderInit | undefined): Headers {
  const headers = new Headers();
  if (given === undefined || given === null) return headers;
  if (Array.isArray(given) && !Array.isArray(given[0])) {
    for (let at = 0; at + 1 < given.length; at += 2) headers.append(String(given[at]), String(given[at + 1]));
    return headers;
  }
  const pairs = Symbol.iterator in given ? (given as Iterable<readonly [string, string]>) : Object.entries(given);
  for (const [name, value] of pairs)
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, String(one));
  return headers;
}

function urlOf(given: unknown, query: RequestOptions['query']): URL {
  const isParts = typeof given === 'object' && given !== null && !(given instanceof URL);
  const { origin = '', path = '/' } = (isParts ? given : {}) as { origin?: string; path?: string };
  const text = isParts ? `${origin}${path}` : String(given);
  if (!URL.canParse(text)) throw new InvalidArgumentError(`Invalid URL: ${text}`);
  const url = new URL(text);
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) url.searchParams.append(name, String(one));
  return url;
}

/** Adds the web's methods of reading a body. */
function readable(response: Response): Readable {
  const { body } = response;
  const stream = body === null ? Readable.from([]) : Readable.fromWeb(body as WebStream);
  const read = () => new Response(Readable.toWeb(stream) as never, { headers: response.headers });
  return Object.assign(stream, {
    text: () => read().text(),
    json: () => read().json(),
    blob: () => read().blob(),
    bytes: () => read().bytes(),
    arrayBuffer: () => read().arrayBuffer(),
    formData: () => read().formData(),
    dump: async (): Promise<void> => void stream.resume(),
  });
}

/** Aborts after the shorter of two timeouts; 0 means none. */
function signalOf({ signal, headersTimeout = 0, bodyTimeout = 0 }: RequestOptions): AbortSignal | undefined {
  const ms = headersTimeout + bodyTimeout;
  if (ms === 0) return signal;
  return AbortSignal.any([AbortSignal.timeout(ms), ...(signal === undefined ? [] : [signal])]);
}

const methodsWithoutBody = ['GET', 'HEAD'];

/** Redirects are returned as responses, unless an interceptor follows them. */
const ask: Ask = (url, { method, headers, body, signal }) => {
  const isSent = body !== undefined && body !== null && !methodsWithoutBody.includes(method.toUpperCase());
  return globalThis.fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(signal === undefined ? {} : { signal }),
    ...(isSent ? { body: body as never, duplex: 'half' } : {}),
  });
};

export async function request(given: unknown, options: RequestOptions = {}): Promise<Answer> {
  const url = urlOf(given, options.query);
  const parts = typeof given === 'object' && given !== null && !(given instanceof URL) ? (given as RequestOptions) : {};
  const all = { ...parts, ...options };
  const { method = 'GET', body, opaque = null, throwOnError = false, dispatcher = globalDispatcher() } = all;
  const signal = signalOf(all);
  const response = await askedBy(
    dispatcher,
    all.maxRedirections === undefined || isComposed(dispatcher) ? ask : redirecting()(ask),
  )(url, {
    method,
    headers: headersOf(all.headers),
    body,
    ...(signal === undefined ? {} : { signal }),
    options: all as Readonly<Record<string, unknown>>,
  });
  if (throwOnError && response.status >= 400)
    throw Object.assign(new ResponseError(`Response status code ${response.status}: ${response.statusText}`), {
      statusCode: response.status,
      status: response.status,
      headers: fieldsOf(response.headers),
      body: await response.text(),
    });
  const { status: statusCode, statusText, headers } = response;
  return {
    statusCode,
    statusText,
    headers: fieldsOf(headers),
    trailers: {},
    opaque,
    context: {},
    body: readable(response),
  };
}

type Factory = (answer: Omit<Answer, 'body'>) => Writable;

/** Writes the response's body to the stream that `factory` returns. */
export async function stream(given: unknown, options: RequestOptions, factory: Factory): Promise<object> {
  const { body, ...answer } = await request(given, options);
  await pipeline(body, factory(answer));
  return { opaque: answer.opaque, trailers: {} };
}

/** The web's fetch, with the interceptors of a composed dispatcher. */
export async function fetch(
  input: string | URL | Request,
  init?: RequestInit & { dispatcher?: unknown },
): Promise<Response> {
  const dispatcher = init?.dispatcher ?? globalDispatcher();
  if (!isComposed(dispatcher)) return globalThis.fetch(input, init);
  const asked = new Request(input, init);
  const body = init?.body ?? (asked.body === null ? undefined : new Uint8Array(await asked.arrayBuffer()));
  const { method, headers, signal } = asked;
  const byFetch: Ask = (url, how) =>
    globalThis.fetch(url, { ...init, method: how.method, headers: how.headers, signal, body: how.body as never });
  return askedBy(dispatcher, byFetch)(new URL(asked.url), { method, headers, body, signal, options: { ...init } });
}
