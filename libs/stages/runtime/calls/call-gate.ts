// Lets each synchronous call of a partition begin at most once, after an append has proved who owns the partition.
import { callExpiredName, callLostName, callRefusedName, callRunTimeoutMs } from '../../../domain/call/call.ts';
import { outcomeOf, resultOf, notRunParts, refusedResult } from '../outcome/trigger-result.ts';
import type { Attempt, TriggerResult } from '../outcome/trigger-result.ts';

/** For a call that was on the log at take-over: the previous owner might have begun it. */
const lostMessage =
  'The service was restarted, or the source moved to another process, while the call was under way. ' +
  'A call is never repeated: whether it had begun is not known.';
const interruptedMessage =
  'The process that ran the call ended, or the source was stopped at a limit by a run that overlapped the call. ' +
  'A call is never repeated: it may have begun.';
const expiredMessage = 'The time of the call was over before it could begin. It did not begin.';
const crowdedMessage = 'Too many calls of the source waited. The call did not begin.';
const stoppingMessage = 'The service is being stopped, or the source moves to another process. The call did not begin.';

export interface CallGateOptions {
  /** The end of `triggers` at take-over: an earlier owner might have begun calls below it. */
  readonly ownedFrom: number;
  /** Requests an append. */
  readonly onWaiting: () => void;
}

export class CallGate {
  readonly #options: CallGateOptions;
  /** Calls that wait for an append before they begin, in order: at most one per source. */
  readonly #waiting = new Set<(mayBegin: boolean) => void>();
  /** How many of `#waiting`, from the first on, begin after the appends in progress. */
  #assigned = 0;
  #isClosed = false;

  constructor(options: CallGateOptions) {
    this.#options = options;
  }

  /** Whether a call waits for an append that has not started. */
  get isReady(): boolean {
    return this.#waiting.size > this.#assigned;
  }

  /** Assigns all waiting calls to an append that starts now; call the result once the log holds it. */
  assignToAppend(): () => void {
    const count = this.#waiting.size - this.#assigned;
    this.#assigned += count;
    return () => {
      this.#assigned -= count;
      this.#release([...this.#waiting].slice(0, count), true);
    };
  }

  /** Call when the task ends: calls without an append in progress would only be interrupted, so they do not begin. */
  close(): void {
    this.#isClosed = true;
    this.#release([...this.#waiting].slice(this.#assigned), false);
  }

  /** Call when nothing is appended any more: releases all waiting calls, so that their runner sees that it ended. */
  releaseAll(): void {
    this.#release([...this.#waiting], true);
  }

  /**
   * How many milliseconds the call can run, or its end if it must not begin. Resolves once an append has succeeded: a
   * newer owner would have fenced it, and never begins the calls that it finds on the log. `from`: when the call's time
   * began (`performance.now`), by default when it was read.
   */
  async begin(attempt: Attempt, from = attempt.queued.readAt ?? 0): Promise<number | TriggerResult> {
    const refusal = this.refusalOf(attempt);
    if (refusal !== undefined) return refusal;
    if (remainingMs(from) <= 0) return refusedResult(attempt, expiredMessage, callExpiredName);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.add(resolve);
    this.#options.onWaiting();
    if (!(await promise)) return refusedResult(attempt, stoppingMessage, callRefusedName);
    const remaining = remainingMs(from);
    return remaining > 0 ? remaining : refusedResult(attempt, expiredMessage, callExpiredName);
  }

  /** The end of a call that must not begin, regardless of its time; undefined: it can begin. */
  refusalOf(attempt: Attempt): TriggerResult | undefined {
    const { offset, readAt } = attempt.queued;
    if (offset < this.#options.ownedFrom) return lostResult(attempt, lostMessage);
    if (readAt === undefined) return refusedResult(attempt, crowdedMessage, callRefusedName);
    return this.#isClosed ? refusedResult(attempt, stoppingMessage, callRefusedName) : undefined;
  }

  /** The end of a call whose outcome is unknown. */
  interruptedResult(attempt: Attempt): TriggerResult {
    return lostResult(attempt, interruptedMessage);
  }

  #release(waiting: readonly ((mayBegin: boolean) => void)[], mayBegin: boolean): void {
    for (const settle of waiting) {
      this.#waiting.delete(settle);
      settle(mayBegin);
    }
  }
}

const remainingMs = (from: number): number => Math.floor(callRunTimeoutMs - (performance.now() - from));

function lostResult(attempt: Attempt, message: string): TriggerResult {
  const { startedAt } = attempt;
  const end = { ...outcomeOf({ name: callLostName, message }), startedAt, durationMs: 0, console: [], emits: [] };
  return resultOf(attempt, { ...notRunParts, end }, 0);
}
