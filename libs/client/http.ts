// One API call with axios: JSON both ways, every failure an ApiError. Reads are repeated while the service has no room for them.
import { addAbortSignal } from 'node:stream';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import axios from 'axios';
import type { AxiosInstance, AxiosRequestConfig, AxiosResponse } from 'axios';
import { ApiError } from './api-error.ts';
import { repeatedRead } from './repeats/repeated-reads.ts';

export interface ClientOptions {
  /** URL of the server, with or without `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Must be longer than any answer takes: a deploy answers within 30 s, a run that is waited for within 60 s. */
  readonly timeoutMs?: number;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/v1`. */
  readonly path: string;
  readonly query?: object;
  readonly body?: object;
  readonly idempotencyKey?: string | undefined;
}

export interface StreamCall {
  readonly path: string;
  readonly query: object;
  /** Of the record behind which the stream begins; undefined: with the moment of the request. */
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** How the service is, and its clock, as an answer to an open route shows it. */
export interface RawAnswer {
  readonly status: number;
  readonly body: unknown;
  /** Epoch ms, exact to a second; undefined: the answer has no date. */
  readonly dateMs: number | undefined;
}

const defaultTimeoutMs = 75_000;

export class Http {
  readonly #axios: AxiosInstance;
  readonly #rootUrl: string;
  readonly #timeoutMs: number;

  constructor({ baseUrl, apiKey, timeoutMs = defaultTimeoutMs }: ClientOptions) {
    this.#timeoutMs = timeoutMs;
    this.#rootUrl = baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
    this.#axios = axios.create({
      baseURL: `${this.#rootUrl}/v1`,
      timeout: timeoutMs,
      headers: { authorization: `Bearer ${apiKey}` },
      // The caller names the service's address, so proxies from the environment are ignored.
      proxy: false,
      maxRedirects: 0,
      validateStatus: () => true,
    });
  }

  /** Returns the answer's body. Throws ApiError. */
  async call<T>({ method, path, query, body, idempotencyKey }: Call): Promise<T> {
    const request: AxiosRequestConfig = { method, url: path };
    if (query !== undefined) request.params = query;
    if (body !== undefined) request.data = body;
    if (idempotencyKey !== undefined) request.headers = { 'idempotency-key': idempotencyKey };
    const send = (): Promise<T> => this.#send<T>(request);
    return method === 'GET' ? repeatedRead(send, { limitMs: this.#timeoutMs }) : send();
  }

  /** The body of an answer that continues until either side ends it. Throws ApiError. */
  async stream({ path, query, lastEventId, signal }: StreamCall): Promise<Readable> {
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const request: AxiosRequestConfig = { method: 'GET', url: path, params: query, headers, responseType: 'stream' };
    const open = async (): Promise<Readable> => {
      const answer = await untilAnswered(signal, (aborted) => this.#answer({ ...request, signal: aborted }));
      const body = answer.data as Readable;
      if (!isSuccess(answer)) throw refusalOf(answer, await json(body).catch(() => undefined));
      return body;
    };
    const body = await repeatedRead(open, { limitMs: this.#timeoutMs, signal });
    return signal === undefined ? body : addAbortSignal(signal, body);
  }

  /** Of a route beside `/v1`; any status is an answer. Throws ApiError without one. */
  async open(path: string): Promise<RawAnswer> {
    const { status, data, headers } = await this.#answer({ method: 'GET', url: path, baseURL: this.#rootUrl });
    const dateMs = Date.parse(String(headers['date']));
    return { status, body: data, dateMs: Number.isNaN(dateMs) ? undefined : dateMs };
  }

  async #send<T>(request: AxiosRequestConfig): Promise<T> {
    const answer = await this.#answer(request);
    if (isSuccess(answer) && isOfService(answer)) return answer.data as T;
    throw refusalOf(answer, answer.data);
  }

  async #answer(request: AxiosRequestConfig): Promise<AxiosResponse<unknown>> {
    try {
      return await this.#axios.request(request);
    } catch (error) {
      const cause = causeOf(error);
      const what = `${request.method} ${request.url}`;
      const fields = { status: null, code: 'no_answer', ...(wasSent(error) ? { unanswered: kindOf(request) } : {}) };
      throw new ApiError(`${what} was not answered: ${cause.message}`, fields, cause);
    }
  }
}

/** Past the answer, axios would end the stream with an error that holds the API key. */
async function untilAnswered<T>(
  signal: AbortSignal | undefined,
  ask: (aborted: AbortSignal) => Promise<T>,
): Promise<T> {
  const asking = new AbortController();
  const abort = (): void => asking.abort();
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort);
  try {
    return await ask(asking.signal);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

const isSuccess = ({ status }: AxiosResponse): boolean => status >= 200 && status < 300;

/** A proxy or another server may answer 200, too. Every answer has `data`, but a search for components and a deletion. */
const isOfService = ({ status, data }: AxiosResponse<unknown>): boolean =>
  status === 204 || (typeof data === 'object' && data !== null && ('data' in data || 'sources' in data));

/** How a connection fails that was there: axios gives the last two for a time that is up, and an answer that broke off. */
const brokenCodes: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED', 'ERR_BAD_RESPONSE'];

/** False: no connection was made, to any of the addresses that the name has. */
function wasSent(error: unknown): boolean {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  const isConnecting = (cause as { readonly syscall?: unknown } | undefined)?.syscall === 'connect';
  return brokenCodes.includes(code) && !isConnecting && !(cause instanceof AggregateError);
}

const kindOf = ({ method }: AxiosRequestConfig): 'read' | 'change' => (method === 'GET' ? 'read' : 'change');

/**
 * The error of axios holds the request with the API key, and programs log what they catch. Where a name has several
 * addresses, the error that none was reached by has a code alone.
 */
function causeOf(error: unknown): NodeJS.ErrnoException {
  const { message, code } = error as Partial<NodeJS.ErrnoException>;
  const cause = new Error(message || code || 'unknown cause');
  return code === undefined ? cause : Object.assign(cause, { code });
}

function refusalOf({ status, headers }: AxiosResponse<unknown>, data: unknown): ApiError {
  const body = (typeof data === 'object' && data !== null ? data : {}) as {
    readonly error?: unknown;
    readonly code?: unknown;
    readonly details?: unknown;
  };
  const retryAfterSeconds = Number(headers['retry-after']);
  const foreign = `The answer, with status ${status}, is not of the service: a proxy or another server has answered`;
  return new ApiError(typeof body.error === 'string' ? body.error : foreign, {
    status,
    code: typeof body.code === 'string' ? body.code : 'unknown',
    details: body.details,
    ...(Number.isFinite(retryAfterSeconds) ? { retryAfterSeconds } : {}),
  });
}

/** Encodes a path segment. */
export const segment = (text: string): string => encodeURIComponent(text);
