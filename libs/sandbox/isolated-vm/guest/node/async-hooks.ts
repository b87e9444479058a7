// node:async_hooks: stores whose value is kept across promises and timers, and resources that keep their context.
import { bindToContext, currentContext, runInContext, setContext, enableContexts } from '../core/async-context.ts';

type Callback = (...args: unknown[]) => unknown;

class AsyncLocalStorage {
  constructor() {
    enableContexts();
  }

  static bind<F>(callback: F): F {
    return bindToContext(callback);
  }
  static snapshot(): (callback: Callback, ...args: unknown[]) => unknown {
    const context = currentContext();
    return (callback, ...args) => runInContext(context, () => callback(...args));
  }

  /** Restores only this store's value, as Node does: values that the callback enters in other stores stay. */
  run(store: unknown, callback: Callback, ...args: unknown[]): unknown {
    const previous = this.getStore();
    this.enterWith(store);
    try {
      return callback(...args);
    } finally {
      this.enterWith(previous);
    }
  }
  exit(callback: Callback, ...args: unknown[]): unknown {
    return this.run(undefined, callback, ...args);
  }
  getStore(): unknown {
    return currentContext().get(this);
  }
  enterWith(store: unknown): void {
    const context = new Map(currentContext());
    if (store === undefined) context.delete(this);
    else context.set(this, store);
    setContext(context);
  }
  disable(): void {
    this.enterWith(undefined);
  }
}

class AsyncResource {
  readonly type: string;
  readonly #context = currentContext();

  constructor(type: string) {
    this.type = type;
  }
  runInAsyncScope(callback: Callback, self?: unknown, ...args: unknown[]): unknown {
    return runInContext(this.#context, () => callback.apply(self, args));
  }
  /** `self`, if given, is always the callback's `this`. */
  static bind(callback: Callback, type?: string, self?: unknown): Callback {
    return new AsyncResource(type ?? (callback.name || 'bound-anonymous-fn')).bind(callback, self);
  }
  bind(callback: Callback, self?: unknown): Callback {
    const target = self === undefined ? callback : callback.bind(self);
    return runInContext(this.#context, () => bindToContext(target));
  }
  emitDestroy(): this {
    return this;
  }
}

export const asyncHooks = {
  AsyncLocalStorage,
  AsyncResource,
  executionAsyncId: () => 1,
  triggerAsyncId: () => 0,
  createHook: () => ({ enable: () => {}, disable: () => {} }),
};
