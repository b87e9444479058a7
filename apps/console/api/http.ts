// Sends one request to the service: JSON both ways, the session's token with every change, every failure a Problem.
// A request that changes nothing is repeated while the service answers that it has no room for it.
import { noteServiceDate } from './clock/service-clock.ts';
import { Problem, problemFromResponse } from './problem.ts';
import type { Page } from './records.ts';
import { readWithRetries } from './retries/read-with-retries.ts';
import { sendOnce } from './retries/idempotent-posts.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  readonly body?: unknown;
  /** A GET that changes something, too. */
  readonly writes?: boolean;
  /** Used instead of the session. */
  readonly apiKey?: string;
  /** Only for a POST. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** Longer than any answer takes: a deploy is answered within 30 s, and a run that the caller waits for within 60 s. */
const timeoutMs = 75_000;

let csrfToken: string | undefined;
/** While signed out, only the session is requested: everything else would be refused. */
let isSignedOut = false;
let signedOutListener: () => void = () => undefined;

/** Keeps the token that `GET /session` or `POST /session` has returned. */
export const keepCsrfToken = (token: string | undefined): void => {
  csrfToken = token;
  isSignedOut = false;
};

/** Called when a request is answered 401: the key was revoked or the session has ended. */
export const onSignedOut = (listener: () => void): void => {
  signedOutListener = listener;
};

export async function checkSignedIn(): Promise<void> {
  const isUnauthorized = await sendRequest('GET', '/session', {}).then(
    () => false,
    (error: unknown) => error instanceof Problem && error.status === 401,
  );
  if (isUnauthorized) signedOutListener();
}

export const get = <T>(path: string, request: RequestOptions = {}): Promise<T> => sendRequest<T>('GET', path, request);

/** A page of a list. Rejects another body, such as a proxy's, before it is cached for everything that shows the list. */
export async function getPage<T>(path: string, request: RequestOptions): Promise<Page<T>> {
  const page = await get<Page<T> | null>(path, request);
  if (page === null || !Array.isArray(page.data) || (page.page_info ?? null) === null) throw foreignResponse();
  return page;
}

/** Creates something once, even if the request is sent again after it got no answer. */
export const post = <T>(path: string, body: unknown = {}): Promise<T> =>
  path.startsWith('/v1/')
    ? sendOnce(`${path} ${JSON.stringify(body)}`, (idempotencyKey) =>
        sendRequest<T>('POST', path, { body, idempotencyKey }),
      )
    : sendRequest<T>('POST', path, { body });
/** Posts with the scopes of this key, where those of the session are not enough. */
export const postAs = <T>(apiKey: string, path: string): Promise<T> =>
  sendRequest<T>('POST', path, { apiKey, body: {} });
export const put = <T>(path: string, body: unknown): Promise<T> => sendRequest<T>('PUT', path, { body });
export const remove = (path: string, query: RequestOptions['query'] = {}): Promise<void> =>
  sendRequest<undefined>('DELETE', path, { query });

/** A path with its query, without parameters that are undefined or null. */
export function urlOf(path: string, query: RequestOptions['query'] = {}): string {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

const noAnswerMessage = 'The service does not answer. What is shown may be out of date.';
/** The answer may have been lost on its way. */
const unknownOutcomeMessage =
  'The service does not answer. It may have been done all the same: look before you repeat it.';

async function sendRequest<T>(method: Method, path: string, request: RequestOptions): Promise<T> {
  const { query, body, signal, apiKey, idempotencyKey, writes = method !== 'GET' } = request;
  if (isSignedOut && path !== '/session') throw signedOutProblem();
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  if (apiKey !== undefined) headers.set('authorization', `Bearer ${apiKey}`);
  if (writes && csrfToken !== undefined) headers.set('x-csrf-token', csrfToken);
  const timeout = AbortSignal.timeout(timeoutMs);
  const abortSignal = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  const init: RequestInit = {
    method,
    headers,
    credentials: 'same-origin',
    signal: abortSignal,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const send = (): Promise<Response> => fetch(urlOf(path, query), init);
  const response = await (writes ? send() : readWithRetries(send, abortSignal)).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new Problem(writes ? unknownOutcomeMessage : noAnswerMessage, { code: 'no_answer' });
  });
  noteServiceDate(response.headers.get('date'));
  const content = await bodyOf(response, signal);
  if (response.ok) return content as T;
  // On the session's own routes 401 only says that nobody is signed in.
  if (response.status === 401 && path !== '/session' && apiKey === undefined) {
    isSignedOut = true;
    signedOutListener();
  }
  const mayHaveOldToken = response.status === 403 && writes && path !== '/session' && apiKey === undefined;
  if (mayHaveOldToken && (await hasNewSession())) return sendRequest(method, path, request);
  throw problemFromResponse(response.status, content);
}

const signedOutProblem = (): Problem => new Problem('Nobody is signed in.', { status: 401, code: 'unauthorized' });

/** An answer that cannot be the service's own. */
const foreignResponse = (): Problem =>
  new Problem('The answer is not what the service sends: it broke off, or a proxy has answered.', {
    code: 'no_answer',
  });

/** The body of an answer; undefined for a refusal that is not JSON, such as a proxy's. */
async function bodyOf(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    const text = await response.text();
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch (error) {
    if (signal?.aborted === true) throw error;
    if (!response.ok) return undefined;
    throw foreignResponse();
  }
}

/** Whether another tab has signed in again since: its session has another token. */
async function hasNewSession(): Promise<boolean> {
  const previousToken = csrfToken;
  csrfToken = (await get<{ readonly data: { readonly csrf_token: string } }>('/session')).data.csrf_token;
  return csrfToken !== previousToken;
}
