// Sends API calls with axios: JSON both ways, every failure an ApiError. Repeats reads that the service is too busy
// for.
import { addAbortSignal } from 'node:stream';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import axios from 'axios';
import type { AxiosInstance, AxiosRequestConfig, AxiosResponse } from 'axios';
import { ApiError } from './api-error.ts';
import { retryRead } from './retries/retry-read.ts';

export interface ClientOptions {
  /** URL of the server, with or without `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Must be longer than any response takes: a deploy answers within 30 s, a run that is waited for within 60 s. */
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
  /** The id of the record after which the stream begins; undefined: it begins at the time of the request. */
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The response of a route that needs no key, with the service's clock. */
export interface PublicResponse {
  readonly status: number;
  readonly body: unknown;
  /** Epoch ms, exact to a second; undefined: the response has no date. */
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

  /** Returns the response's body. Throws ApiError. */
  async call<T>({ method, path, query, body, idempotencyKey }: Call): Promise<T> {
    const request: AxiosRequestConfig = { method, url: path };
    if (query !== undefined) request.params = query;
    if (body !== undefined) request.data = body;
    if (idempotencyKey !== undefined) request.headers = { 'idempotency-key': idempotencyKey };
    const send = (): Promise<T> => this.#requestData<T>(request);
    return method === 'GET' ? retryRead(send, { limitMs: this.#timeoutMs }) : send();
  }

  /** Returns a response body that continues until either side ends it. Throws ApiError. */
  async stream({ path, query, lastEventId, signal }: StreamCall): Promise<Readable> {
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const request: AxiosRequestConfig = { method: 'GET', url: path, params: query, headers, responseType: 'stream' };
    const openStream = async (): Promise<Readable> => {
      const response = await abortableUntilResponse(signal, (abortSignal) =>
        this.#sendRequest({ ...request, signal: abortSignal }),
      );
      const body = response.data as Readable;
      if (!isSuccess(response)) throw apiErrorOf(response, await json(body).catch(() => undefined));
      return body;
    };
    const body = await retryRead(openStream, { limitMs: this.#timeoutMs, signal });
    return signal === undefined ? body : addAbortSignal(signal, body);
  }

  /** Calls a route outside `/v1`; any status is a response. Throws ApiError without one. */
  async getPublic(path: string): Promise<PublicResponse> {
    const { status, data, headers } = await this.#sendRequest({ method: 'GET', url: path, baseURL: this.#rootUrl });
    const dateMs = Date.parse(String(headers['date']));
    return { status, body: data, dateMs: Number.isNaN(dateMs) ? undefined : dateMs };
  }

  async #requestData<T>(request: AxiosRequestConfig): Promise<T> {
    const response = await this.#sendRequest(request);
    if (isSuccess(response) && isServiceResponse(response)) return response.data as T;
    throw apiErrorOf(response, response.data);
  }

  async #sendRequest(request: AxiosRequestConfig): Promise<AxiosResponse<unknown>> {
    try {
      return await this.#axios.request(request);
    } catch (error) {
      const cause = causeOf(error);
      const requestLine = `${request.method} ${request.url}`;
      const fields = { status: null, code: 'no_answer', ...(wasSent(error) ? { unanswered: kindOf(request) } : {}) };
      throw new ApiError(`${requestLine} was not answered: ${cause.message}`, fields, cause);
    }
  }
}

/** After the response has begun, axios would end the stream with an error that holds the API key. */
async function abortableUntilResponse<T>(
  signal: AbortSignal | undefined,
  sendRequest: (abortSignal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort);
  try {
    return await sendRequest(controller.signal);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

const isSuccess = ({ status }: AxiosResponse): boolean => status >= 200 && status < 300;

/**
 * A proxy or another server can answer 200, too. Every response has `data`, except a search for components and a
 * deletion.
 */
const isServiceResponse = ({ status, data }: AxiosResponse<unknown>): boolean =>
  status === 204 || (typeof data === 'object' && data !== null && ('data' in data || 'sources' in data));

/**
 * Codes of connections that failed after opening: axios uses the last two for a timeout, and for an aborted response.
 */
const brokenCodes: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED', 'ERR_BAD_RESPONSE'];

/** Whether the request was sent; false if no address of the name accepted a connection. */
function wasSent(error: unknown): boolean {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  const isConnecting = (cause as { readonly syscall?: unknown } | undefined)?.syscall === 'connect';
  return brokenCodes.includes(code) && !isConnecting && !(cause instanceof AggregateError);
}

const kindOf = ({ method }: AxiosRequestConfig): 'read' | 'change' => (method === 'GET' ? 'read' : 'change');

/**
 * The error of axios holds the request with the API key, and programs log what they catch. If a name has several
 * addresses and none was reached, the error has only a code.
 */
function causeOf(error: unknown): NodeJS.ErrnoException {
  const { message, code } = error as Partial<NodeJS.ErrnoException>;
  const cause = new Error(message || code || 'unknown cause');
  return code === undefined ? cause : Object.assign(cause, { code });
}

function apiErrorOf({ status, headers }: AxiosResponse<unknown>, data: unknown): ApiError {
  const body = (typeof data === 'object' && data !== null ? data : {}) as {
    readonly error?: unknown;
    readonly code?: unknown;
    readonly details?: unknown;
  };
  const retryAfterSeconds = Number(headers['retry-after']);
  const foreignMessage = `The answer, with status ${status}, is not of the service: a proxy or another server has answered`;
  return new ApiError(typeof body.error === 'string' ? body.error : foreignMessage, {
    status,
    code: typeof body.code === 'string' ? body.code : 'unknown',
    details: body.details,
    ...(Number.isFinite(retryAfterSeconds) ? { retryAfterSeconds } : {}),
  });
}

/** Encodes a path segment. */
export const segment = (text: string): string => encodeURIComponent(text);
