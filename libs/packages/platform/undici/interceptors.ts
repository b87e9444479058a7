// undici's interceptors that change the result of a request: they follow redirects, or turn statuses into errors.
import { interceptor } from './composing.ts';
import type { AskInit, Wrap } from './composing.ts';
import { fieldsOf } from './fields.ts';
import { retrying } from './retrying.ts';
import type { RetryOptions } from './retrying.ts';
import { InvalidArgumentError, MaxRedirectsError, ResponseError } from './undici-errors.ts';

interface RedirectOptions {
  readonly maxRedirections?: number;
  readonly throwOnMaxRedirect?: boolean;
}

const redirects: ReadonlySet<number> = new Set([300, 301, 302, 303, 307, 308]);
const ofBody = /^content-/;
const ofOrigin: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** The next request after a redirect, made as in undici. */
function moved({ status }: Response, [from, to]: readonly [URL, URL], init: AskInit): AskInit {
  const isGet = status === 303 ? init.method !== 'HEAD' : status < 303 && status > 300 && init.method === 'POST';
  const headers = new Headers(init.headers);
  for (const name of [...headers.keys()]) {
    const isGone = (isGet && ofBody.test(name)) || (from.origin !== to.origin && ofOrigin.has(name));
    if (isGone) headers.delete(name);
  }
  const { body, ...rest } = init;
  return { ...rest, headers, ...(isGet ? { method: 'GET' } : body === undefined ? {} : { body }) };
}

/** A stream can be sent only once, so not again after a redirect. */
const isStream = (body: unknown): boolean => typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

export const redirecting =
  (given: RedirectOptions = {}): Wrap =>
  (next) =>
  async (url, init) => {
    const options = { ...given, ...(init.options as RedirectOptions) };
    const { maxRedirections = 0, throwOnMaxRedirect = false } = options;
    if (!Number.isInteger(maxRedirections) || maxRedirections < 0)
      throw new InvalidArgumentError('maxRedirections must be a positive number');
    let [at, how] = [url, init];
    for (let count = 0; ; count++) {
      const response = await next(at, how);
      const location = redirects.has(response.status) ? response.headers.get('location') : null;
      if (location === null || maxRedirections === 0) return response;
      if (count >= maxRedirections && throwOnMaxRedirect) throw new MaxRedirectsError('max redirects');
      const to = new URL(location, at);
      const then = moved(response, [at, to], how);
      if (count >= maxRedirections || isStream(then.body)) return response;
      await response.body?.cancel();
      [at, how] = [to, then];
    }
  };

function parsed(text: string, type: string): unknown {
  if (!type.startsWith('application/json')) return type.startsWith('text/plain') ? text : '';
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const failing = (): Wrap => (next) => async (url, init) => {
  const response = await next(url, init);
  if (response.status < 400) return response;
  const body = parsed(await response.text(), response.headers.get('content-type') ?? '');
  const told = { statusCode: response.status, body, headers: fieldsOf(response.headers) };
  throw Object.assign(new ResponseError('Response Error'), told);
};

/** For interceptors of connections and caches, which are the service's own. */
const passedOn = () => interceptor((next) => next);

export const interceptors = {
  redirect: (options?: RedirectOptions) => interceptor(redirecting(options)),
  responseError: () => interceptor(failing()),
  retry: (options?: RetryOptions) => interceptor(retrying(options)),
  dump: passedOn,
  dns: passedOn,
  cache: passedOn,
  decompress: passedOn,
  deduplicate: passedOn,
};
