// Which part of the log this process projects now, as partitions come and go.
import type { Membership, Ownership } from '../../log/ownership.ts';
import { Sleeper } from '../../primitives/sleeper.ts';
import { inTime } from '../../primitives/time-limit.ts';
import type { Share } from './inputs.ts';

/** A group that does not answer keeps nobody from ending: it notices by itself. */
const leaveMaxMs = 1_000;

export class Shares {
  #current: Share = new Set();
  readonly #sleeper = new Sleeper();
  #joining: Promise<Membership | undefined> | undefined;

  /** The same object until it changes. */
  get current(): Share {
    return this.#current;
  }

  /** Whether others may have a part: not before anyone is asked for one. */
  isPartOf(partitions: number): boolean {
    return this.#joining !== undefined && this.#current.size < partitions;
  }

  /** `changed` is awaited before what is no longer in the share is handed on. */
  join(ownership: Ownership, changed: () => Promise<void>, onFatal: (error: unknown) => void): void {
    const joining = ownership.follow('projection', async (owned) => {
      const share = new Set(owned);
      if (isSame(this.#current, share)) return;
      this.#current = share;
      this.wake();
      await changed();
    });
    this.#joining = joining.catch((error: unknown) => {
      onFatal(error);
      return undefined;
    });
  }

  /** Ends a wait for a change. */
  wake(): void {
    this.#sleeper.wake();
  }

  /** Resolves at the next change, or after `maxMs`. One call at a time. */
  change(maxMs: number): Promise<void> {
    return this.#sleeper.sleep(maxMs);
  }

  async leave(): Promise<void> {
    const left = this.#joining?.then((membership) => membership?.leave());
    if (left !== undefined) await inTime(left, leaveMaxMs);
  }
}

const isSame = (a: Share, b: Share): boolean => a.size === b.size && [...a].every((partition) => b.has(partition));
