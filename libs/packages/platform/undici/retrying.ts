// undici's retry interceptor, with its defaults: repeats a request after a status or a failure that can be temporary.
import type { Ask, AskInit, Wrap } from './composing.ts';
import { fieldsOf } from './fields.ts';
import { RequestRetryError } from './undici-errors.ts';

type Decided = (error?: unknown) => void;

export interface RetryOptions {
  readonly throwOnError?: boolean;
  readonly retry?: (error: unknown, context: object, decided: Decided) => void;
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
const isWhole = (body: unknown): boolean =>
  body === undefined || body === null || typeof body === 'string' || ArrayBuffer.isView(body);

/** Milliseconds that the server asks to wait; undefined: none. */
function asked(response: Response | undefined): number | undefined {
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

interface Failure {
  readonly error: unknown;
  readonly response?: Response;
  readonly count: number;
}

function mayPass({ error, response, count }: Failure, { method }: AskInit, options: Options): boolean {
  if (count > options.maxRetries || !options.methods.includes(method.toUpperCase())) return false;
  if (response !== undefined) return options.statusCodes.includes(response.status);
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: { readonly code?: unknown } };
  return options.errorCodes.includes(String(cause?.code ?? code));
}

/** Resolves when the request can be repeated; rejects if it must not be. */
async function again(failure: Failure, init: AskInit, options: Options): Promise<void> {
  const { error, response, count } = failure;
  const { retry } = options;
  if (retry !== undefined) {
    const context = {
      state: { counter: count },
      opts: { ...init.options, method: init.method, retryOptions: options },
    };
    return new Promise((resolve, reject) =>
      retry(error, context, (given) => (given ? reject(given as Error) : resolve())),
    );
  }
  if (!mayPass(failure, init, options)) throw error;
  const usual = options.minTimeout * options.timeoutFactor ** (count - 1);
  const ms = (options.retryAfter ? asked(response) : undefined) ?? usual;
  await pause(Math.min(ms, options.maxTimeout), init.signal);
}

function errorOf(response: Response, count: number): unknown {
  const error = new RequestRetryError('Request failed');
  return Object.assign(error, { statusCode: response.status, headers: fieldsOf(response.headers), data: { count } });
}

async function tried(
  ask: Ask,
  ...[url, init, count, options]: [URL, AskInit, number, Options]
): Promise<Response | Failure> {
  try {
    const response = await ask(url, init);
    if (!options.statusCodes.includes(response.status)) return response;
    return { error: errorOf(response, count), response, count };
  } catch (error) {
    if (init.signal?.aborted) throw error;
    return { error, count };
  }
}

export const retrying =
  (given: RetryOptions = {}): Wrap =>
  (next) =>
  async (url, init) => {
    const own = init.options['retryOptions'] as RetryOptions | undefined;
    const options: Options = { ...defaults, ...(given as Options), ...(own as Options | undefined) };
    for (let count = 1; ; count++) {
      const result = await tried(next, url, init, count, options);
      if (!('error' in result)) return result;
      try {
        if (!isWhole(init.body)) throw result.error;
        await again(result, init, options);
      } catch (error) {
        if (result.response !== undefined && error === result.error && !options.throwOnError) return result.response;
        throw error;
      }
      await result.response?.body?.cancel();
    }
  };
