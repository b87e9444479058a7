// What AsyncLocalStorage keeps across continuations. V8 alone carries nothing there, so callbacks are bound to the values
// that stood when they were given: those of promises, once there is a store at all, and of timers. A component that names
// async_hooks is compiled without await, which would pass by Promise.prototype.then.
import { defineProperty, promiseThen, reflectApply } from './primordials.ts';

/** The value of each store; never changed, only replaced. */
export type AsyncContext = ReadonlyMap<object, unknown>;

const empty: AsyncContext = new Map();
let current = empty;
let isUsed = false;

export const currentContext = (): AsyncContext => current;

/** From here until the code that runs now gives the thread back. */
export const setContext = (context: AsyncContext): void => {
  current = context;
};

/** At the beginning of each turn: what an earlier one has left counts for nobody else. */
export const forgetContext = (): void => {
  current = empty;
};

export function runInContext<T>(context: AsyncContext, callback: () => T): T {
  const before = current;
  current = context;
  try {
    return callback();
  } finally {
    current = before;
  }
}

type Callback = (this: unknown, ...args: unknown[]) => unknown;

/** The callback as it runs in the context of now; whatever is no function is given back. */
export function bindToContext<T>(callback: T): T {
  if (!isUsed || typeof callback !== 'function') return callback;
  const context = current;
  const bound: Callback = function (...args) {
    return runInContext(context, () => reflectApply(callback, this, args));
  };
  return bound as T;
}

/** Called by the first store: until then nothing costs anything. */
export function useContexts(): void {
  if (isUsed) return;
  isUsed = true;
  const then: Callback = function (onFulfilled, onRejected) {
    return promiseThen(this as Promise<unknown>, bindToContext(onFulfilled), bindToContext(onRejected));
  };
  defineProperty(Promise.prototype, 'then', { value: then, writable: true, configurable: true });
}
