// timers/promises: timers as promises, which a signal can abort.
import { defineProperty } from '../core/primordials.ts';
import { timerFunctions } from '../core/timers.ts';
import { abortError } from '../web/abort-error.ts';
import { AbortSignal } from '../web/event-target.ts';

interface Options {
  readonly signal?: AbortSignal | undefined;
}

function signalOf(options: Options | undefined): AbortSignal | undefined {
  const signal = options?.signal;
  if (signal === undefined || signal instanceof AbortSignal) return signal;
  throw Object.assign(new TypeError('The "options.signal" property must be an instance of AbortSignal.'), {
    code: 'ERR_INVALID_ARG_TYPE',
  });
}

/** `start` receives the function to call when the timer is due, and returns the one that stops it. */
async function startOnce<T>(start: (due: () => void) => () => void, value: T, options?: Options): Promise<T> {
  const signal = signalOf(options);
  if (signal?.aborted) throw abortError(signal);
  return await new Promise<T>((resolve, reject) => {
    const stop = start(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve(value);
    });
    const onAbort = (): void => {
      stop();
      if (signal) reject(abortError(signal));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

const timeout = <T>(ms?: number, value?: T, options?: Options): Promise<T | undefined> =>
  startOnce(
    (due) => {
      const timer = timerFunctions.setTimeout(due, ms);
      return () => timerFunctions.clearTimeout(timer);
    },
    value,
    options,
  );

const immediate = <T>(value?: T, options?: Options): Promise<T | undefined> =>
  startOnce(
    (due) => {
      const timer = timerFunctions.setImmediate(due);
      return () => timerFunctions.clearImmediate(timer);
    },
    value,
    options,
  );

/** Ticks that passed while nothing waited are yielded afterwards. */
async function* interval<T>(ms?: number, value?: T, options?: Options): AsyncGenerator<T | undefined> {
  const signal = signalOf(options);
  if (signal?.aborted) throw abortError(signal);
  let pendingTicks = 0;
  let wake = (): void => {};
  const timer = timerFunctions.setInterval(() => {
    pendingTicks++;
    wake();
  }, ms);
  const onAbort = (): void => wake();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      if (pendingTicks === 0 && !signal?.aborted) await new Promise<void>((resolve) => (wake = resolve));
      for (; pendingTicks > 0; pendingTicks--) yield value;
      if (signal?.aborted) throw abortError(signal);
    }
  } finally {
    timerFunctions.clearInterval(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

export const timerPromises = {
  setTimeout: timeout,
  setImmediate: immediate,
  setInterval: interval,
  scheduler: {
    wait: (ms?: number, options?: Options): Promise<void> => timeout(ms, undefined, options),
    yield: (): Promise<void> => immediate(),
  },
};

/** Sets the form that `util.promisify` returns for a timer, whose callback is not its last argument. */
const setPromisified = (act: object, value: unknown): unknown =>
  defineProperty(act, Symbol.for('nodejs.util.promisify.custom'), { value });

setPromisified(timerFunctions.setTimeout, timeout);
setPromisified(timerFunctions.setImmediate, immediate);
