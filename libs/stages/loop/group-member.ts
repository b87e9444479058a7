// Joins and leaves the group of processes that share a stage's partitions.
import type { StageName } from '../../domain/flow.ts';
import type { Membership, OwnershipListener, Ownership } from '../../log/ownership.ts';
import { resolvesInTime } from '../../primitives/time-limit.ts';

/** The longest wait when leaving a group that does not answer: it notices the lost member by itself. */
const leaveMaxMs = 1_000;

export class GroupMember {
  #joining: Promise<Membership | undefined> | undefined;

  /** Whether `join` was ever called. */
  get wasJoinCalled(): boolean {
    return this.#joining !== undefined;
  }

  /** Joins in the background; `onFatal` is called with the error when joining fails. */
  join(
    ownership: Ownership,
    stage: StageName,
    onOwnedChanged: OwnershipListener,
    onFatal: (error: unknown) => void,
  ): void {
    this.#joining = ownership.follow(stage, onOwnedChanged).catch((error: unknown) => {
      onFatal(error);
      return undefined;
    });
  }

  /** Waits for a join in progress. Undefined when joining failed or was never asked for. */
  async membership(): Promise<Membership | undefined> {
    return this.#joining;
  }

  async leave(): Promise<void> {
    const leaving = this.#joining?.then((membership) => membership?.leave());
    if (leaving !== undefined) await resolvesInTime(leaving, leaveMaxMs);
  }
}
