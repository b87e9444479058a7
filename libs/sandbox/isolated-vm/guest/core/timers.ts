// setTimeout and its family: the host keeps the clock, the guest keeps the callbacks, each with its invocation.
import { delayMaxMs } from '../../wire.ts';
import { bindToContext } from './async-context.ts';
import { currentInvocation, toHost, send, setCurrentInvocation } from './bridge.ts';
import { reportUncaught } from './uncaught.ts';
import { LimitError, limits } from './guest-limits.ts';
import { mapClear, mapDelete, mapGet, mapSet, reflectApply, toNumber } from './primordials.ts';

interface Timer {
  readonly callback: unknown;
  readonly args: readonly unknown[];
  readonly owner: number;
  readonly ms: number;
  readonly repeat: boolean;
  /** Whether the author is warned if the run ends before the timer fires. */
  isRef: boolean;
}

const timers = new Map<number, Timer>();
/** Timers started since the turn began. Limited because each call crosses to the host, whose thread others share. */
let startsThisTurn = 0;
let timerCount = 0;
let lastId = 0;

/** Node's Timeout, as far as components use it. */
class Timeout {
  readonly #id: number;

  constructor(id: number) {
    this.#id = id;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    const timer = mapGet(timers, this.#id);
    if (timer?.isRef && ++startsThisTurn <= limits().timerCallsMax) {
      timer.isRef = false;
      send(toHost.unref, this.#id);
    }
    return this;
  }
  hasRef(): boolean {
    return mapGet(timers, this.#id)?.isRef === true;
  }
  refresh(): this {
    const timer = mapGet(timers, this.#id);
    if (timer && ++startsThisTurn <= limits().timerCallsMax) start(this.#id, timer);
    return this;
  }
  close(): this {
    remove(this.#id);
    return this;
  }
  [Symbol.toPrimitive](): number {
    return this.#id;
  }
  [Symbol.dispose](): void {
    remove(this.#id);
  }
}

function start(id: number, { ms, owner, isRef }: Timer): void {
  send(toHost.timer, id, ms, owner);
  if (!isRef) send(toHost.unref, id);
}

function add(callback: unknown, ms: unknown, repeat: boolean, args: readonly unknown[]): Timeout {
  if (typeof callback !== 'function') {
    throw Object.assign(new TypeError('The "callback" argument must be of type function.'), {
      code: 'ERR_INVALID_ARG_TYPE',
    });
  }
  if (++startsThisTurn > limits().timerCallsMax) {
    throw new LimitError(`More than ${limits().timerCallsMax} timers were started without a pause`);
  }
  if (timerCount >= limits().timersMax) throw new LimitError(`More than ${limits().timersMax} timers at once`);
  const requestedMs = toNumber(ms);
  const delayMs = requestedMs >= 1 && requestedMs <= delayMaxMs ? requestedMs : 1;
  const id = ++lastId;
  const owner = currentInvocation();
  const timer = { callback: bindToContext(callback), args, owner, ms: delayMs, repeat, isRef: true };
  mapSet(timers, id, timer);
  timerCount++;
  start(id, timer);
  return new Timeout(id);
}

function remove(id: number): void {
  if (!mapDelete(timers, id)) return;
  timerCount--;
  send(toHost.clearTimer, id);
}

const clear = (timer?: unknown): void => {
  if (timer !== undefined && timer !== null) remove(toNumber(timer));
};

/** Call at the beginning of each turn. */
export const resetTimerBudget = (): void => {
  startsThisTurn = 0;
};

/** Called when the host reports that the timer is due. */
export function fireTimer(id: number): void {
  const timer = mapGet(timers, id);
  if (!timer) return;
  setCurrentInvocation(timer.owner);
  if (timer.repeat) start(id, timer);
  else {
    mapDelete(timers, id);
    timerCount--;
  }
  try {
    reflectApply(timer.callback, undefined, timer.args);
  } catch (error) {
    reportUncaught(error);
  }
}

/** Called after the host has dropped all timers, because no invocation runs any more. */
export const dropTimers = (): void => {
  mapClear(timers);
  timerCount = 0;
};

const later = (callback: unknown, ms?: unknown, ...args: readonly unknown[]): Timeout => add(callback, ms, false, args);

export const timerFunctions = {
  setTimeout: later,
  setInterval: (callback: unknown, ms?: unknown, ...args: readonly unknown[]) => add(callback, ms, true, args),
  setImmediate: (callback: unknown, ...args: readonly unknown[]) => add(callback, 1, false, args),
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
} as const;
