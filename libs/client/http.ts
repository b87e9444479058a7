// One API call with axios: JSON both ways, every failure an ApiError.
import axios from 'axios';
import type { AxiosInstance, AxiosRequestConfig, AxiosResponse } from 'axios';
import { ApiError } from './api-error.ts';

export interface ClientOptions {
  /** URL of the server, with or without `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Must be longer than any answer takes: a deploy answers within 30 s, and then waits for the views. */
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

const defaultTimeoutMs = 45_000;

export class Http {
  readonly #axios: AxiosInstance;

  constructor({ baseUrl, apiKey, timeoutMs = defaultTimeoutMs }: ClientOptions) {
    this.#axios = axios.create({
      baseURL: `${baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`,
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
    let answer: AxiosResponse<unknown>;
    try {
      answer = await this.#axios.request(request);
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unknown cause';
      throw new ApiError(`${method} ${path} was not answered: ${why}`, { status: null, code: 'no_answer' }, error);
    }
    if (answer.status >= 200 && answer.status < 300) return answer.data as T;
    throw refusalOf(answer);
  }
}

function refusalOf({ status, data, headers }: AxiosResponse<unknown>): ApiError {
  const body = (typeof data === 'object' && data !== null ? data : {}) as {
    readonly error?: unknown;
    readonly code?: unknown;
    readonly details?: unknown;
  };
  const retryAfterSeconds = Number(headers['retry-after']);
  return new ApiError(typeof body.error === 'string' ? body.error : `status ${status}`, {
    status,
    code: typeof body.code === 'string' ? body.code : 'unknown',
    details: body.details,
    ...(Number.isFinite(retryAfterSeconds) ? { retryAfterSeconds } : {}),
  });
}

/** Encodes a path segment. */
export const segment = (text: string): string => encodeURIComponent(text);
