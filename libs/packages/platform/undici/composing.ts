// Composes dispatchers of undici's own interceptors, each of which wraps how a request is sent; the last is outermost.
import { NotSupportedError } from './undici-errors.ts';

export interface AskInit {
  readonly method: string;
  readonly headers: Headers;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** The options of the request, which can include those of an interceptor. */
  readonly options: Readonly<Record<string, unknown>>;
}

export type Ask = (url: URL, init: AskInit) => Promise<Response>;
export type Wrap = (next: Ask) => Ask;

const wraps = Symbol('wraps');
const wrappers = Symbol('wrappers');

/** Has no effect if called as in undici; `composed` uses its field. */
type Interceptor = ((dispatch: unknown) => unknown) & { readonly [wraps]: Wrap };

export const interceptor = (wrap: Wrap): Interceptor =>
  Object.assign((dispatch: unknown): unknown => dispatch, { [wraps]: wrap });

/** The wrappers of a composed dispatcher. */
const wrappersOf = (dispatcher: unknown): readonly Wrap[] =>
  (dispatcher as { readonly [wrappers]?: readonly Wrap[] } | null | undefined)?.[wrappers] ?? [];

function wrapOf(given: unknown): Wrap {
  const wrap = (given as Partial<Interceptor> | null)?.[wraps];
  if (wrap !== undefined) return wrap;
  throw new NotSupportedError(
    'Interceptors of your own are not available to components: use those of undici, or fetch in a function of yours',
  );
}

/** A copy of the dispatcher whose requests pass through these interceptors. */
export function composed<T extends object>(dispatcher: T, interceptors: readonly unknown[]): T {
  const all = [...wrappersOf(dispatcher), ...interceptors.flat().map(wrapOf)];
  const same = Object.create(Object.getPrototypeOf(dispatcher) as object) as T;
  return Object.assign(same, dispatcher, { [wrappers]: all });
}

export const isComposed = (dispatcher: unknown): boolean => wrappersOf(dispatcher).length > 0;

/** Wraps `ask` in the dispatcher's interceptors. */
export const askedBy = (dispatcher: unknown, ask: Ask): Ask =>
  wrappersOf(dispatcher).reduce((next, wrap) => wrap(next), ask);

let global: unknown;

export const globalDispatcher = (): unknown => global;

export function setGlobalDispatcher(dispatcher: unknown): void {
  global = dispatcher;
}
