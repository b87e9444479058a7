// A stage's membership: stays in its group until it is closed, and reports changes of ownership one at a time.
import type { PortError } from '../../../domain/port-error.ts';
import { Sleeper } from '../../../primitives/sleeper.ts';
import { within } from '../../../primitives/time-limit.ts';
import type { Membership, OwnershipListener } from '../../ownership.ts';
import { brokerErrorType, unavailableError } from '../kafkajs/client/kafka-errors.ts';
import { limits } from '../kafka-limits.ts';
import type { ConsumerGroup } from './consumer-group.ts';

/** A member learns of a rebalance by its heartbeat, so a rebalance takes up to this long to begin. */
const heartbeatMs = 500;
/** Between attempts to join while the brokers are away. */
const rejoinPauseMs = 500;
/** After this time the next change no longer waits for this one; the code that handles a change has lower limits. */
const changeMaxMs = 10_000;

const rebalanceErrors = new Set(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION']);
const unknownMemberErrors = new Set(['UNKNOWN_MEMBER_ID', 'FENCED_INSTANCE_ID']);
/**
 * Errors that make the first join fail. A former member keeps trying instead: lost rights might be granted again.
 */
const permanentErrors = new Set([
  'GROUP_AUTHORIZATION_FAILED',
  'INCONSISTENT_GROUP_PROTOCOL',
  'INVALID_SESSION_TIMEOUT',
  'INVALID_GROUP_ID',
]);

/** The member of a consumer group that this membership keeps in its group. */
type Member = Pick<ConsumerGroup, 'join' | 'heartbeat' | 'forgetMember' | 'leave' | 'close'>;

export class GroupMembership implements Membership {
  readonly #group: Member;
  readonly #onChange: OwnershipListener;
  readonly #joined = Promise.withResolvers<void>();
  /** The owned partitions last reported; undefined before the first report. */
  #owned: readonly number[] | undefined;
  /** Partitions that are owned, and former ones that are not handed on yet. */
  #heldPartitions: readonly number[] = [];
  #changes: Promise<void> = Promise.resolve();
  #mustJoin = true;
  #wasMember = false;
  readonly #sleeper = new Sleeper();
  #hasLeft = false;

  constructor(group: Member, onChange: OwnershipListener) {
    this.#group = group;
    this.#onChange = onChange;
  }

  /** Resolves once the process is a member. Throws PortError when the brokers refuse it permanently. */
  async join(): Promise<void> {
    void this.#run();
    await this.#joined.promise;
  }

  async reportLoss(_error: PortError): Promise<void> {
    await this.#changeOwned([]);
    this.#requestRejoin();
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    this.#sleeper.wake();
    await within(this.#group.leave(), limits.endMs, 'leaving the group').catch(() => {});
    this.#group.close();
  }

  async #run(): Promise<void> {
    while (!this.#hasLeft) {
      try {
        await this.#joinOrHeartbeat();
      } catch (error) {
        await this.#recover(error);
      }
    }
  }

  async #joinOrHeartbeat(): Promise<void> {
    if (this.#mustJoin) await this.#joinGroup();
    if (!this.#hasLeft && !this.#mustJoin) await this.#sleeper.sleep(heartbeatMs);
    if (!this.#hasLeft && !this.#mustJoin) await this.#group.heartbeat();
  }

  async #joinGroup(): Promise<void> {
    this.#mustJoin = false;
    try {
      this.#handleAssignment(await this.#group.join(this.#heldPartitions));
    } catch (error) {
      this.#mustJoin = true;
      throw error;
    }
    this.#wasMember = true;
    this.#joined.resolve();
  }

  /**
   * A heartbeat without an answer is sent again: joining anew would make all members rebalance, and if the coordinator
   * has forgotten this member it says so.
   */
  async #recover(error: unknown): Promise<void> {
    const type = brokerErrorType(error) ?? '';
    if (type !== '' && !type.includes('COORDINATOR')) this.#mustJoin = true;
    if (rebalanceErrors.has(type)) return;
    if (unknownMemberErrors.has(type)) return this.#group.forgetMember();
    if (permanentErrors.has(type) && !this.#wasMember) return this.#rejectJoin(error);
    if (!this.#hasLeft) await this.#sleeper.sleep(rejoinPauseMs);
  }

  #rejectJoin(error: unknown): void {
    this.#hasLeft = true;
    this.#group.close();
    this.#joined.reject(unavailableError('joining a group', error));
  }

  #handleAssignment(partitions: readonly number[]): void {
    const owned = partitions.toSorted((a, b) => a - b);
    if (this.#hasLeft || isSame(owned, this.#owned)) return;
    void this.#changeOwned(owned);
  }

  /**
   * While the change runs, the other members are told that all partitions are still held here. Joining again afterwards
   * tells them which partitions were handed on.
   */
  #changeOwned(owned: readonly number[]): Promise<void> {
    this.#owned = owned;
    this.#heldPartitions = [...new Set([...this.#heldPartitions, ...owned])];
    this.#changes = this.#changes.then(async () => {
      await within(this.#onChange(owned), changeMaxMs, 'a change of owned partitions').catch(() => {});
      if (this.#owned !== owned || this.#heldPartitions.length === owned.length) return;
      this.#heldPartitions = owned;
      this.#requestRejoin();
    });
    return this.#changes;
  }

  #requestRejoin(): void {
    this.#mustJoin = true;
    this.#sleeper.wake();
  }
}

const isSame = (one: readonly number[], other: readonly number[] | undefined): boolean =>
  one.length === other?.length && one.every((partition, i) => partition === other[i]);
