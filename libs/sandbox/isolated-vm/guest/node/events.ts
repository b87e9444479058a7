// Node's events: the emitter of the `events` package, plus the functions that wait for events.
import EventEmitter from 'events/events.js';
import { inspect } from 'node-inspect-extracted';
import { abortError } from '../web/abort-error.ts';
import { asyncHooks } from './async-hooks.ts';

type Listener = (...args: readonly unknown[]) => void;

interface Target {
  readonly on?: (name: PropertyKey, listener: Listener) => unknown;
  readonly removeListener?: (name: PropertyKey, listener: Listener) => unknown;
  readonly addEventListener?: (name: PropertyKey, listener: Listener) => void;
  readonly removeEventListener?: (name: PropertyKey, listener: Listener) => void;
}

interface Options {
  readonly signal?: AbortSignal;
  readonly close?: readonly PropertyKey[];
}

/** Listens on an emitter or an event target; returns the function that stops listening. */
function listen(target: Target, name: PropertyKey, listener: Listener): () => void {
  if (typeof target.on === 'function') {
    target.on(name, listener);
    return () => void target.removeListener?.(name, listener);
  }
  if (typeof target.addEventListener !== 'function') {
    const message = 'The "emitter" argument must be an instance of EventEmitter or EventTarget';
    throw Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  target.addEventListener(name, listener);
  return () => target.removeEventListener?.(name, listener);
}

const isEmitter = (target: Target): boolean => typeof target.on === 'function';

/** The arguments of the next event; rejects if `error` is emitted before it. */
async function once(target: Target, name: PropertyKey, { signal }: Options = {}): Promise<readonly unknown[]> {
  if (signal?.aborted) throw abortError(signal);
  const { promise, resolve, reject } = Promise.withResolvers<readonly unknown[]>();
  const unsubscribers = [listen(target, name, (...args) => resolve(args))];
  if (isEmitter(target) && name !== 'error') unsubscribers.push(listen(target, 'error', reject));
  if (signal) unsubscribers.push(listen(signal as Target, 'abort', () => reject(abortError(signal))));
  try {
    return await promise;
  } finally {
    for (const stop of unsubscribers) stop();
  }
}

/** Iterates over all further events, in order; ends at an event in `close`, and throws at an `error`. */
function on(
  target: Target,
  name: PropertyKey,
  { signal, close = [] }: Options = {},
): AsyncGenerator<readonly unknown[]> {
  if (signal?.aborted) throw abortError(signal);
  const events: (readonly unknown[])[] = [];
  let ended: { readonly error?: unknown } | undefined;
  let wake = (): void => {};
  const end = (outcome: { readonly error?: unknown }): void => {
    ended ??= outcome;
    wake();
  };
  const unsubscribers = [
    listen(target, name, (...args) => {
      events.push(args);
      wake();
    }),
    ...close.map((other) => listen(target, other, () => end({}))),
  ];
  if (isEmitter(target) && name !== 'error') unsubscribers.push(listen(target, 'error', (error) => end({ error })));
  if (signal) unsubscribers.push(listen(signal as Target, 'abort', () => end({ error: abortError(signal) })));
  async function* iterate(): AsyncGenerator<readonly unknown[]> {
    try {
      for (;;) {
        const next = events.shift();
        if (next !== undefined) yield next;
        else if (ended === undefined) await new Promise<void>((resolve) => (wake = resolve));
        else if ('error' in ended) throw ended.error;
        else return;
      }
    } finally {
      for (const stop of unsubscribers) stop();
    }
  }
  return iterate();
}

function addAbortListener(signal: AbortSignal, listener: Listener): Disposable {
  if (signal.aborted) void Promise.resolve().then(() => listener());
  const stop = signal.aborted ? () => {} : listen(signal as Target, 'abort', listener);
  return { [Symbol.dispose]: stop };
}

/** Runs its listeners in the async context in which the emitter was created. */
class EventEmitterAsyncResource extends EventEmitter {
  readonly asyncResource = new asyncHooks.AsyncResource('EventEmitterAsyncResource');

  override emit(name: string | symbol, ...args: unknown[]): boolean {
    return this.asyncResource.runInAsyncScope(() => super.emit(name, ...args)) as boolean;
  }
}

const { listenerCount: originalCount } = EventEmitter.prototype;

/** With `listener`, how often this one is registered. */
EventEmitter.prototype.listenerCount = function (name: string | symbol, listener?: unknown): number {
  if (listener === undefined) return originalCount.call(this, name);
  return this.listeners(name).filter((one) => one === listener).length;
};

/** Without targets, sets the default of all emitters. */
function setMaxListeners(
  count: number,
  ...targets: readonly { readonly setMaxListeners?: (n: number) => unknown }[]
): void {
  if (targets.length === 0) EventEmitter.defaultMaxListeners = count;
  for (const target of targets) target.setMaxListeners?.(count);
}

const errorMonitor = Symbol('events.errorMonitor');
const { emit: originalEmit } = EventEmitter.prototype;

/** Emits errors to `errorMonitor` first; throws an unhandled one that is no Error with its value in the message. */
EventEmitter.prototype.emit = function (
  this: InstanceType<typeof EventEmitter>,
  ...allArgs: [string, ...unknown[]]
): boolean {
  const [name, ...args] = allArgs;
  if (name !== 'error') return Reflect.apply(originalEmit, this, allArgs) as boolean;
  if (this.listenerCount(errorMonitor) > 0) Reflect.apply(originalEmit, this, [errorMonitor, ...args]);
  const [error] = args;
  if (!(error instanceof Error) && this.listenerCount('error') === 0)
    throw Object.assign(new Error(`Unhandled error. (${inspect(error)})`), {
      code: 'ERR_UNHANDLED_ERROR',
      context: error,
    });
  return Reflect.apply(originalEmit, this, allArgs) as boolean;
};

export const events: typeof EventEmitter = Object.assign(EventEmitter, {
  once,
  on,
  addAbortListener,
  EventEmitterAsyncResource,
  captureRejectionSymbol: Symbol.for('nodejs.rejection'),
  captureRejections: false,
  errorMonitor,
  usingDomains: false,
  setMaxListeners,
  getMaxListeners: (emitter: { readonly getMaxListeners?: () => number }) => emitter.getMaxListeners?.() ?? 0,
  getEventListeners: (emitter: InstanceType<typeof EventEmitter>, name: string) => emitter.listeners?.(name) ?? [],
});
