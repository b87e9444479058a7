// Lets each synchronous call of a partition begin at most once, after an append has proved who owns the partition.
import { callExpired, callLost, callRefused, callRunMs } from '../../../domain/call/call.ts';
import { ended, measured, notRun, refused } from '../outcome/finished.ts';
import type { Begun, Finished } from '../outcome/finished.ts';

/** For a call that was on the log at take-over: the previous owner might have begun it. */
const lost =
  'The service was restarted, or the source moved to another process, while the call was under way. ' +
  'A call is never repeated: whether it had begun is not known.';
const interrupted =
  'The process that ran the call ended, or the source was stopped at a limit by a run that overlapped the call. ' +
  'A call is never repeated: it may have begun.';
const expired = 'The time of the call was over before it could begin. It did not begin.';
const crowded = 'Too many calls of the source waited. The call did not begin.';
const leaving = 'The service is being stopped, or the source moves to another process. The call did not begin.';

export interface CallsOptions {
  /** The end of `triggers` at take-over: an earlier owner might have begun calls below it. */
  readonly ownedFrom: number;
  /** Requests an append. */
  readonly ready: () => void;
}

export class Calls {
  readonly #options: CallsOptions;
  /** Calls that wait for an append before they begin, in order: at most one per source. */
  readonly #waiting = new Set<(mayBegin: boolean) => void>();
  /** How many of `#waiting`, from the first on, begin after the appends in progress. */
  #taken = 0;
  #isClosed = false;

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  /** Whether a call waits for an append that has not started. */
  get isReady(): boolean {
    return this.#waiting.size > this.#taken;
  }

  /** Assigns all waiting calls to an append that starts now; call the result once the log holds it. */
  take(): () => void {
    const count = this.#waiting.size - this.#taken;
    this.#taken += count;
    return () => {
      this.#taken -= count;
      this.#release([...this.#waiting].slice(0, count), true);
    };
  }

  /** Call when the task ends: calls without an append in progress would only be interrupted, so they do not begin. */
  close(): void {
    this.#isClosed = true;
    this.#release([...this.#waiting].slice(this.#taken), false);
  }

  /** Call when nothing is appended any more: releases all waiting calls, so that their runner sees that it ended. */
  stop(): void {
    this.#release([...this.#waiting], true);
  }

  /**
   * How many milliseconds the call can run, or its end if it must not begin. Resolves once an append has succeeded: a
   * newer owner would have fenced it, and never begins the calls that it finds on the log. `from`: when the call's time
   * began (`performance.now`), by default when it was read.
   */
  async begin(begun: Begun, from = begun.queued.readAt ?? 0): Promise<number | Finished> {
    const refusal = this.refusal(begun);
    if (refusal !== undefined) return refusal;
    if (leftMs(from) <= 0) return refused(begun, expired, callExpired);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.add(resolve);
    this.#options.ready();
    if (!(await promise)) return refused(begun, leaving, callRefused);
    const left = leftMs(from);
    return left > 0 ? left : refused(begun, expired, callExpired);
  }

  /** The end of a call that must not begin, regardless of its time; undefined: it can begin. */
  refusal(begun: Begun): Finished | undefined {
    const { offset, readAt } = begun.queued;
    if (offset < this.#options.ownedFrom) return failed(begun, lost);
    if (readAt === undefined) return refused(begun, crowded, callRefused);
    return this.#isClosed ? refused(begun, leaving, callRefused) : undefined;
  }

  /** The end of a call whose outcome is unknown. */
  interrupted(begun: Begun): Finished {
    return failed(begun, interrupted);
  }

  #release(waiting: readonly ((mayBegin: boolean) => void)[], mayBegin: boolean): void {
    for (const settle of waiting) {
      this.#waiting.delete(settle);
      settle(mayBegin);
    }
  }
}

const leftMs = (from: number): number => Math.floor(callRunMs - (performance.now() - from));

function failed(begun: Begun, message: string): Finished {
  const { startedAt } = begun;
  const end = { ...ended({ name: callLost, message }), startedAt, durationMs: 0, console: [], emits: [] };
  return measured(begun, { ...notRun, end }, 0);
}
