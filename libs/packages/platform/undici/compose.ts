// Composes dispatchers of undici's own interceptors, each of which wraps how a request is sent; the last is outermost.
import { NotSupportedError } from './undici-errors.ts';

export interface SendInit {
  readonly method: string;
  readonly headers: Headers;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** The options of the request, which can include those of an interceptor. */
  readonly options: Readonly<Record<string, unknown>>;
}

export type Send = (url: URL, init: SendInit) => Promise<Response>;
export type Wrapper = (next: Send) => Send;

const wrapperKey = Symbol('wraps');
const wrappersKey = Symbol('wrappers');

/** Has no effect if called as in undici; `composeDispatcher` uses its field. */
type Interceptor = ((dispatch: unknown) => unknown) & { readonly [wrapperKey]: Wrapper };

export const interceptor = (wrap: Wrapper): Interceptor =>
  Object.assign((dispatch: unknown): unknown => dispatch, { [wrapperKey]: wrap });

/** The wrappers of a composed dispatcher. */
const wrappersOf = (dispatcher: unknown): readonly Wrapper[] =>
  (dispatcher as { readonly [wrappersKey]?: readonly Wrapper[] } | null | undefined)?.[wrappersKey] ?? [];

function wrapperOf(value: unknown): Wrapper {
  const wrap = (value as Partial<Interceptor> | null)?.[wrapperKey];
  if (wrap !== undefined) return wrap;
  throw new NotSupportedError(
    'Interceptors of your own are not available to components: use those of undici, or fetch in a function of yours',
  );
}

/** A copy of the dispatcher whose requests pass through these interceptors. */
export function composeDispatcher<T extends object>(dispatcher: T, interceptors: readonly unknown[]): T {
  const all = [...wrappersOf(dispatcher), ...interceptors.flat().map(wrapperOf)];
  const copy = Object.create(Object.getPrototypeOf(dispatcher) as object) as T;
  return Object.assign(copy, dispatcher, { [wrappersKey]: all });
}

export const isComposed = (dispatcher: unknown): boolean => wrappersOf(dispatcher).length > 0;

/** Wraps `send` in the dispatcher's interceptors. */
export const sendThrough = (dispatcher: unknown, send: Send): Send =>
  wrappersOf(dispatcher).reduce((next, wrap) => wrap(next), send);

let currentDispatcher: unknown;

export const globalDispatcher = (): unknown => currentDispatcher;

export function setGlobalDispatcher(dispatcher: unknown): void {
  currentDispatcher = dispatcher;
}
