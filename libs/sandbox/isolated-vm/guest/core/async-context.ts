// Carries the values of AsyncLocalStorage across continuations, which V8 alone does not: callbacks of promises (once a
// store exists) and of timers are bound to the values at the time when they are passed. A component that mentions
// async_hooks is compiled without await, which would bypass Promise.prototype.then.
import { defineProperty, promiseThen, reflectApply } from './primordials.ts';

/** The value of each store; immutable, a change makes a new map. */
export type AsyncContext = ReadonlyMap<object, unknown>;

const emptyContext: AsyncContext = new Map();
let current = emptyContext;
let isEnabled = false;

export const currentContext = (): AsyncContext => current;

/** Applies until the running code returns to the host. */
export const setContext = (context: AsyncContext): void => {
  current = context;
};

/** Call at the beginning of each turn, so that the context of an earlier turn does not leak into it. */
export const resetContext = (): void => {
  current = emptyContext;
};

export function runInContext<T>(context: AsyncContext, callback: () => T): T {
  const previous = current;
  current = context;
  try {
    return callback();
  } finally {
    current = previous;
  }
}

type Callback = (this: unknown, ...args: unknown[]) => unknown;

/** The callback bound to the present context; a value that is no function is returned unchanged. */
export function bindToContext<T>(callback: T): T {
  if (!isEnabled || typeof callback !== 'function') return callback;
  const context = current;
  const bound: Callback = function (...args) {
    return runInContext(context, () => reflectApply(callback, this, args));
  };
  return bound as T;
}

/** Patches Promise.prototype.then. The first store calls it, so that components without stores have no overhead. */
export function enableContexts(): void {
  if (isEnabled) return;
  isEnabled = true;
  const then: Callback = function (onFulfilled, onRejected) {
    return promiseThen(this as Promise<unknown>, bindToContext(onFulfilled), bindToContext(onRejected));
  };
  defineProperty(Promise.prototype, 'then', { value: then, writable: true, configurable: true });
}
