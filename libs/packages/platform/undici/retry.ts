// undici's retry interceptor, with its defaults: repeats a request after a status or a failure that can be temporary.
import type { Send, SendInit, Wrapper } from './compose.ts';
import { fieldsOf } from './fields.ts';
import { RequestRetryError } from './undici-errors.ts';

type Decide = (error?: unknown) => void;

export interface RetryOptions {
  readonly throwOnError?: boolean;
  readonly retry?: (error: unknown, context: object, decide: Decide) => void;
  readonly retryAfter?: boolean;
  readonly maxRetries?: number;
  readonly maxTimeout?: number;
  readonly minTimeout?: number;
  readonly timeoutFactor?: number;
  readonly methods?: readonly string[];
  readonly statusCodes?: readonly number[];
  readonly errorCodes?: readonly string[];
}

const defaults = {
  throwOnError: true,
  retryAfter: true,
  maxRetries: 5,
  maxTimeout: 30_000,
  minTimeout: 500,
  timeoutFactor: 2,
  methods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE', 'QUERY'],
  statusCodes: [500, 502, 503, 504, 429],
  errorCodes:
    'ECONNRESET ECONNREFUSED ENOTFOUND ENETDOWN ENETUNREACH EHOSTDOWN EHOSTUNREACH EPIPE UND_ERR_SOCKET ETIMEDOUT'.split(
      ' ',
    ),
};

type Options = typeof defaults & Pick<RetryOptions, 'retry'>;

/** Whether the body can be sent again, which a stream cannot. */
const isResendable = (body: unknown): boolean =>
  body === undefined || body === null || typeof body === 'string' || ArrayBuffer.isView(body);

/** Milliseconds that the server asks to wait; undefined: none. */
function retryAfterMs(response: Response | undefined): number | undefined {
  const after = response?.headers.get('retry-after') ?? undefined;
  if (after === undefined) return undefined;
  const ms = Number.isNaN(Number(after)) ? new Date(after).getTime() - Date.now() : Number(after) * 1_000;
  return ms > 0 ? ms : undefined;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

interface FailedAttempt {
  readonly error: unknown;
  readonly response?: Response;
  readonly count: number;
}

function canRetry({ error, response, count }: FailedAttempt, { method }: SendInit, options: Options): boolean {
  if (count > options.maxRetries || !options.methods.includes(method.toUpperCase())) return false;
  if (response !== undefined) return options.statusCodes.includes(response.status);
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: { readonly code?: unknown } };
  return options.errorCodes.includes(String(cause?.code ?? code));
}

/** Resolves when the request can be repeated; rejects if it must not be. */
async function waitForRetry(failure: FailedAttempt, init: SendInit, options: Options): Promise<void> {
  const { error, response, count } = failure;
  const { retry } = options;
  if (retry !== undefined) {
    const context = {
      state: { counter: count },
      opts: { ...init.options, method: init.method, retryOptions: options },
    };
    return new Promise((resolve, reject) =>
      retry(error, context, (rejection) => (rejection ? reject(rejection as Error) : resolve())),
    );
  }
  if (!canRetry(failure, init, options)) throw error;
  const defaultMs = options.minTimeout * options.timeoutFactor ** (count - 1);
  const ms = (options.retryAfter ? retryAfterMs(response) : undefined) ?? defaultMs;
  await pause(Math.min(ms, options.maxTimeout), init.signal);
}

function errorOf(response: Response, count: number): unknown {
  const error = new RequestRetryError('Request failed');
  return Object.assign(error, { statusCode: response.status, headers: fieldsOf(response.headers), data: { count } });
}

async function sendOnce(
  send: Send,
  ...[url, init, count, options]: [URL, SendInit, number, Options]
): Promise<Response | FailedAttempt> {
  try {
    const response = await send(url, init);
    if (!options.statusCodes.includes(response.status)) return response;
    return { error: errorOf(response, count), response, count };
  } catch (error) {
    if (init.signal?.aborted) throw error;
    return { error, count };
  }
}

export const retryRequests =
  (configured: RetryOptions = {}): Wrapper =>
  (next) =>
  async (url, init) => {
    const requestOptions = init.options['retryOptions'] as RetryOptions | undefined;
    const options: Options = { ...defaults, ...(configured as Options), ...(requestOptions as Options | undefined) };
    for (let count = 1; ; count++) {
      const result = await sendOnce(next, url, init, count, options);
      if (!('error' in result)) return result;
      try {
        if (!isResendable(init.body)) throw result.error;
        await waitForRetry(result, init, options);
      } catch (error) {
        if (result.response !== undefined && error === result.error && !options.throwOnError) return result.response;
        throw error;
      }
      await result.response?.body?.cancel();
    }
  };
