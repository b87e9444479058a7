// A stage's membership: stays in its group until it is closed, and reports changes of ownership one at a time.
import type { PortError } from '../../../domain/port-error.ts';
import { Sleeper } from '../../../primitives/sleeper.ts';
import { within } from '../../../primitives/time-limit.ts';
import type { Membership, OwnedChanged } from '../../ownership.ts';
import { brokerErrorType, unavailable } from '../kafkajs/client/kafka-errors.ts';
import { limits } from '../kafka-limits.ts';
import type { ConsumerGroup } from './consumer-group.ts';

/** A member learns of a rebalance by its heartbeat, so a rebalance takes up to this long to begin. */
const heartbeatMs = 500;
/** Between attempts to join while the brokers are away. */
const rejoinPauseMs = 500;
/** After this time the next change no longer waits for this one; the code that handles a change has lower limits. */
const changeMaxMs = 10_000;

const rebalancing = new Set(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION']);
const forgotten = new Set(['UNKNOWN_MEMBER_ID', 'FENCED_INSTANCE_ID']);
/**
 * Errors that make the first join fail. A former member keeps trying instead: lost rights might be granted again.
 */
const refused = new Set([
  'GROUP_AUTHORIZATION_FAILED',
  'INCONSISTENT_GROUP_PROTOCOL',
  'INVALID_SESSION_TIMEOUT',
  'INVALID_GROUP_ID',
]);

/** The member of a consumer group that this membership keeps in its group. */
type Member = Pick<ConsumerGroup, 'join' | 'heartbeat' | 'forgotten' | 'leave' | 'close'>;

export class GroupMembership implements Membership {
  readonly #group: Member;
  readonly #onChange: OwnedChanged;
  readonly #joined = Promise.withResolvers<void>();
  /** The owned partitions last reported; undefined before the first report. */
  #owned: readonly number[] | undefined;
  /** Partitions that are owned, and former ones that are not handed on yet. */
  #held: readonly number[] = [];
  #changes: Promise<void> = Promise.resolve();
  #mustJoin = true;
  #wasMember = false;
  readonly #sleeper = new Sleeper();
  #left = false;

  constructor(group: Member, onChange: OwnedChanged) {
    this.#group = group;
    this.#onChange = onChange;
  }

  /** Resolves once the process is a member. Throws PortError when the brokers refuse it permanently. */
  async join(): Promise<void> {
    void this.#stay();
    await this.#joined.promise;
  }

  async lost(_error: PortError): Promise<void> {
    await this.#change([]);
    this.#joinAgain();
  }

  async leave(): Promise<void> {
    this.#left = true;
    this.#sleeper.wake();
    await within(this.#group.leave(), limits.endMs, 'leaving the group').catch(() => {});
    this.#group.close();
  }

  async #stay(): Promise<void> {
    while (!this.#left) {
      try {
        await this.#turn();
      } catch (error) {
        await this.#recover(error);
      }
    }
  }

  async #turn(): Promise<void> {
    if (this.#mustJoin) await this.#joinGroup();
    if (!this.#left && !this.#mustJoin) await this.#sleeper.sleep(heartbeatMs);
    if (!this.#left && !this.#mustJoin) await this.#group.heartbeat();
  }

  async #joinGroup(): Promise<void> {
    this.#mustJoin = false;
    try {
      this.#assigned(await this.#group.join(this.#held));
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
    if (rebalancing.has(type)) return;
    if (forgotten.has(type)) return this.#group.forgotten();
    if (refused.has(type) && !this.#wasMember) return this.#refuse(error);
    if (!this.#left) await this.#sleeper.sleep(rejoinPauseMs);
  }

  #refuse(error: unknown): void {
    this.#left = true;
    this.#group.close();
    this.#joined.reject(unavailable('joining a group', error));
  }

  #assigned(partitions: readonly number[]): void {
    const owned = partitions.toSorted((a, b) => a - b);
    if (this.#left || isSame(owned, this.#owned)) return;
    void this.#change(owned);
  }

  /**
   * While the change runs, the other members are told that all partitions are still held here. Joining again afterwards
   * tells them which partitions were handed on.
   */
  #change(owned: readonly number[]): Promise<void> {
    this.#owned = owned;
    this.#held = [...new Set([...this.#held, ...owned])];
    this.#changes = this.#changes.then(async () => {
      await within(this.#onChange(owned), changeMaxMs, 'a change of owned partitions').catch(() => {});
      if (this.#owned !== owned || this.#held.length === owned.length) return;
      this.#held = owned;
      this.#joinAgain();
    });
    return this.#changes;
  }

  #joinAgain(): void {
    this.#mustJoin = true;
    this.#sleeper.wake();
  }
}

const isSame = (one: readonly number[], other: readonly number[] | undefined): boolean =>
  one.length === other?.length && one.every((partition, i) => partition === other[i]);
