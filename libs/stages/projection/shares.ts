// Keeps the part of the log that this process projects, as it gains and loses partitions.
import type { Ownership } from '../../log/ownership.ts';
import { Sleeper } from '../../primitives/sleeper.ts';
import { GroupMember } from '../loop/group-member.ts';
import type { Share } from './inputs.ts';

export class OwnedShares {
  #current: Share = new Set();
  readonly #sleeper = new Sleeper();
  readonly #member = new GroupMember();

  /** Returns the same object until the share changes. */
  get current(): Share {
    return this.#current;
  }

  /** Whether other processes can own partitions; false before ownership was first asked for. */
  isPartial(partitions: number): boolean {
    return this.#member.wasJoinCalled && this.#current.size < partitions;
  }

  /** `onChange` is awaited before partitions that left the share are handed over. */
  join(ownership: Ownership, onChange: () => Promise<void>, onFatal: (error: unknown) => void): void {
    const take = async (owned: readonly number[]): Promise<void> => {
      const share = new Set(owned);
      if (isSame(this.#current, share)) return;
      this.#current = share;
      this.wake();
      await onChange();
    };
    this.#member.join(ownership, 'projection', take, onFatal);
  }

  /** Ends the wait of `waitForChange`. */
  wake(): void {
    this.#sleeper.wake();
  }

  /** Resolves at the next change, or after `maxMs`. One call at a time. */
  waitForChange(maxMs: number): Promise<void> {
    return this.#sleeper.sleep(maxMs);
  }

  leave(): Promise<void> {
    return this.#member.leave();
  }
}

const isSame = (a: Share, b: Share): boolean => a.size === b.size && [...a].every((partition) => b.has(partition));
