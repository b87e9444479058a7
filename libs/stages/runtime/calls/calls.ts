// Synchronous calls of a partition: each begins once at most, and only where an append has shown who owns the partition.
import { callExpired, callLost, callRefused, callRunMs } from '../../../domain/call/call.ts';
import { ended, measured, refused } from '../outcome/finished.ts';
import type { Begun, Finished } from '../outcome/finished.ts';

/** Found on the log: it may have been begun by whoever owned the partition before. */
const lost =
  'The service was restarted, or the source moved to another process, while the call was under way. ' +
  'A call is never repeated: whether it had begun is not known.';
const interrupted =
  'The process that ran the call ended, or the source was stopped at a limit by what ran beside the call. ' +
  'A call is never repeated: it may have begun.';
const expired = 'The time of the call was over before it could begin. It did not begin.';
const crowded = 'Too many calls of the source waited. The call did not begin.';
const leaving = 'The service is being stopped, or the source moves to another process. The call did not begin.';

export interface CallsOptions {
  /** Where `triggers` ended when this task took the partition over: what stands below it may have begun before. */
  readonly ownedFrom: number;
  /** Says that an append is wanted. */
  readonly ready: () => void;
}

export class Calls {
  readonly #options: CallsOptions;
  /** Those that are to begin with an append, in the order of asking: one a source at most. */
  readonly #waiting = new Set<(mayBegin: boolean) => void>();
  /** How many of them the appends that are under way let begin. */
  #taken = 0;
  #isClosed = false;

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  /** Whether one waits that no append is under way for. */
  get isReady(): boolean {
    return this.#waiting.size > this.#taken;
  }

  /** An append begins for all that wait; returns what is to be called once it stands. */
  take(): () => void {
    const count = this.#waiting.size - this.#taken;
    this.#taken += count;
    return () => {
      this.#taken -= count;
      this.#release([...this.#waiting].slice(0, count), true);
    };
  }

  /** The task ends: what no append is under way for would only be cut off, and does not begin. */
  close(): void {
    this.#isClosed = true;
    this.#release([...this.#waiting].slice(this.#taken), false);
  }

  /** Nothing is appended any more: all that wait are let go, for their runner to see that it has ended. */
  stop(): void {
    this.#release([...this.#waiting], true);
  }

  /**
   * How long it may run, or its end where it must not. Resolves once an append has succeeded: a newer owner would have
   * fenced it, and passes over all calls that it found.
   */
  async begin(begun: Begun): Promise<number | Finished> {
    const { queued } = begun;
    if (queued.offset < this.#options.ownedFrom) return failed(begun, lost);
    const { readAt } = queued;
    if (readAt === undefined) return refused(begun, crowded, callRefused);
    if (leftMs(readAt) <= 0) return refused(begun, expired, callExpired);
    if (this.#isClosed) return refused(begun, leaving, callRefused);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.add(resolve);
    this.#options.ready();
    if (!(await promise)) return refused(begun, leaving, callRefused);
    const left = leftMs(readAt);
    return left > 0 ? left : refused(begun, expired, callExpired);
  }

  /** Its end where nobody could say how it has ended. */
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

const leftMs = (readAt: number): number => Math.floor(callRunMs - (performance.now() - readAt));

function failed(begun: Begun, message: string): Finished {
  const { startedAt } = begun;
  const end = { ...ended({ name: callLost, message }), startedAt, durationMs: 0, console: [], emits: [] };
  return measured(begun, { end, strategy: undefined, dbWrites: [], isWarm: false }, 0);
}
