// undici's interceptors that change the result of a request: they follow redirects, or turn statuses into errors.
import { interceptor } from './compose.ts';
import type { SendInit, Wrapper } from './compose.ts';
import { fieldsOf } from './fields.ts';
import { retryRequests } from './retry.ts';
import type { RetryOptions } from './retry.ts';
import { InvalidArgumentError, MaxRedirectsError, ResponseError } from './undici-errors.ts';

interface RedirectOptions {
  readonly maxRedirections?: number;
  readonly throwOnMaxRedirect?: boolean;
}

const redirects: ReadonlySet<number> = new Set([300, 301, 302, 303, 307, 308]);
const bodyHeader = /^content-/;
const originHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** The next request after a redirect, made as in undici. */
function redirectedInit({ status }: Response, [from, to]: readonly [URL, URL], init: SendInit): SendInit {
  const isGet = status === 303 ? init.method !== 'HEAD' : status < 303 && status > 300 && init.method === 'POST';
  const headers = new Headers(init.headers);
  for (const name of [...headers.keys()]) {
    const isDropped = (isGet && bodyHeader.test(name)) || (from.origin !== to.origin && originHeaders.has(name));
    if (isDropped) headers.delete(name);
  }
  const { body, ...rest } = init;
  return { ...rest, headers, ...(isGet ? { method: 'GET' } : body === undefined ? {} : { body }) };
}

/** A stream can be sent only once, so not again after a redirect. */
const isStream = (body: unknown): boolean => typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

export const followRedirects =
  (defaults: RedirectOptions = {}): Wrapper =>
  (next) =>
  async (url, init) => {
    const options = { ...defaults, ...(init.options as RedirectOptions) };
    const { maxRedirections = 0, throwOnMaxRedirect = false } = options;
    if (!Number.isInteger(maxRedirections) || maxRedirections < 0)
      throw new InvalidArgumentError('maxRedirections must be a positive number');
    let [currentUrl, currentInit] = [url, init];
    for (let count = 0; ; count++) {
      const response = await next(currentUrl, currentInit);
      const location = redirects.has(response.status) ? response.headers.get('location') : null;
      if (location === null || maxRedirections === 0) return response;
      if (count >= maxRedirections && throwOnMaxRedirect) throw new MaxRedirectsError('max redirects');
      const to = new URL(location, currentUrl);
      const nextInit = redirectedInit(response, [currentUrl, to], currentInit);
      if (count >= maxRedirections || isStream(nextInit.body)) return response;
      await response.body?.cancel();
      [currentUrl, currentInit] = [to, nextInit];
    }
  };

function parseBody(text: string, type: string): unknown {
  if (!type.startsWith('application/json')) return type.startsWith('text/plain') ? text : '';
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const rejectErrorStatuses = (): Wrapper => (next) => async (url, init) => {
  const response = await next(url, init);
  if (response.status < 400) return response;
  const body = parseBody(await response.text(), response.headers.get('content-type') ?? '');
  const details = { statusCode: response.status, body, headers: fieldsOf(response.headers) };
  throw Object.assign(new ResponseError('Response Error'), details);
};

/** For interceptors of connections and caches, which are the service's own. */
const passThrough = () => interceptor((next) => next);

export const interceptors = {
  redirect: (options?: RedirectOptions) => interceptor(followRedirects(options)),
  responseError: () => interceptor(rejectErrorStatuses()),
  retry: (options?: RetryOptions) => interceptor(retryRequests(options)),
  dump: passThrough,
  dns: passThrough,
  cache: passThrough,
  decompress: passThrough,
  deduplicate: passThrough,
};
