// undici's request and stream: HTTP requests whose response is a Node stream with the web's methods of reading it.
import { Readable } from 'node:stream';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { sendThrough, globalDispatcher, isComposed } from './compose.ts';
import type { Send } from './compose.ts';
import { fieldsOf } from './fields.ts';
import type { Fields } from './fields.ts';
import { followRedirects } from './interceptors.ts';
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

export interface UndiciResponse {
  readonly statusCode: number;
  readonly statusText: string;
  readonly headers: Fields;
  readonly trailers: Fields;
  readonly opaque: unknown;
  readonly context: object;
  readonly body: Readable;
}

/** Accepts a flat list of names and values, pairs, or an object, whose lists become several headers. */
function headersOf(input: HeaderInit | undefined): Headers {
  const headers = new Headers();
  if (input === undefined || input === null) return headers;
  if (Array.isArray(input) && !Array.isArray(input[0])) {
    for (let at = 0; at + 1 < input.length; at += 2) headers.append(String(input[at]), String(input[at + 1]));
    return headers;
  }
  const pairs = Symbol.iterator in input ? (input as Iterable<readonly [string, string]>) : Object.entries(input);
  for (const [name, value] of pairs)
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, String(one));
  return headers;
}

function urlOf(input: unknown, query: RequestOptions['query']): URL {
  const isParts = typeof input === 'object' && input !== null && !(input instanceof URL);
  const { origin = '', path = '/' } = (isParts ? input : {}) as { origin?: string; path?: string };
  const text = isParts ? `${origin}${path}` : String(input);
  if (!URL.canParse(text)) throw new InvalidArgumentError(`Invalid URL: ${text}`);
  const url = new URL(text);
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) url.searchParams.append(name, String(one));
  return url;
}

/** Adds the web's methods of reading a body. */
function readableBody(response: Response): Readable {
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
const sendByFetch: Send = (url, { method, headers, body, signal }) => {
  const hasBody = body !== undefined && body !== null && !methodsWithoutBody.includes(method.toUpperCase());
  return globalThis.fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(signal === undefined ? {} : { signal }),
    ...(hasBody ? { body: body as never, duplex: 'half' } : {}),
  });
};

export async function request(input: unknown, options: RequestOptions = {}): Promise<UndiciResponse> {
  const url = urlOf(input, options.query);
  const parts = typeof input === 'object' && input !== null && !(input instanceof URL) ? (input as RequestOptions) : {};
  const merged = { ...parts, ...options };
  const { method = 'GET', body, opaque = null, throwOnError = false, dispatcher = globalDispatcher() } = merged;
  const signal = signalOf(merged);
  const response = await sendThrough(
    dispatcher,
    merged.maxRedirections === undefined || isComposed(dispatcher) ? sendByFetch : followRedirects()(sendByFetch),
  )(url, {
    method,
    headers: headersOf(merged.headers),
    body,
    ...(signal === undefined ? {} : { signal }),
    options: merged as Readonly<Record<string, unknown>>,
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
    body: readableBody(response),
  };
}

type Factory = (answer: Omit<UndiciResponse, 'body'>) => Writable;

/** Writes the response's body to the stream that `factory` returns. */
export async function stream(input: unknown, options: RequestOptions, factory: Factory): Promise<object> {
  const { body, ...answer } = await request(input, options);
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
  const webRequest = new Request(input, init);
  const body = init?.body ?? (webRequest.body === null ? undefined : new Uint8Array(await webRequest.arrayBuffer()));
  const { method, headers, signal } = webRequest;
  const byFetch: Send = (url, requestInit) =>
    globalThis.fetch(url, {
      ...init,
      method: requestInit.method,
      headers: requestInit.headers,
      signal,
      body: requestInit.body as never,
    });
  return sendThrough(dispatcher, byFetch)(new URL(webRequest.url), {
    method,
    headers,
    body,
    signal,
    options: { ...init },
  });
}
