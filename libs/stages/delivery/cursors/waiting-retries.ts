// Keeps deliveries of one cursor that wait for a retry in separate records, and their changes that the log lacks.
import type { RetryTime } from '../../../domain/delivery/cursor.ts';
import { postponeDelivery, waitingIdOf } from '../../../domain/delivery/cursor.ts';
import type { OpenDelivery } from '../../../domain/delivery/messages.ts';
import type { Millis } from '../../../domain/message.ts';
import { EarliestDue } from './earliest-due.ts';

/** Deliveries that were set aside: most cursors never have any, and an idle cursor drops the object. */
class RetryState {
  /** Deliveries by offset, in the order in which they were set aside. */
  readonly waiting = new Map<number, OpenDelivery>();
  readonly earliest = new EarliestDue();
  /** Offsets of deliveries that are being tried or parked. */
  readonly claimed = new Set<number>();
  /** Changes for the log, by `waitingIdOf`; undefined for a finished delivery. */
  changes = new Map<string, OpenDelivery | undefined>();
}

const noChanges: ReadonlyMap<string, OpenDelivery | undefined> = new Map();

export class WaitingRetries {
  /** Undefined: no delivery is set aside, and nothing has changed. */
  #state: RetryState | undefined;

  get size(): number {
    return this.#state?.waiting.size ?? 0;
  }

  /** When the first delivery is due that is not suspended; null: there is none. */
  dueAt(suspended: ReadonlySet<number> | undefined): Millis | null {
    return this.#state?.earliest.at(this.#state.waiting, suspended) ?? null;
  }

  get changeCount(): number {
    return this.#state?.changes.size ?? 0;
  }

  get(offset: number): OpenDelivery | undefined {
    return this.#state?.waiting.get(offset);
  }

  all(): Iterable<OpenDelivery> {
    return this.#state?.waiting.values() ?? [];
  }

  /** Restores a delivery from its record on the log. */
  restore(delivery: OpenDelivery): void {
    this.#put(delivery);
  }

  add(delivery: OpenDelivery): void {
    this.#put(delivery).changes.set(waitingIdOf(delivery), delivery);
  }

  /** Frees its memory if it is empty. */
  compact(): void {
    if (this.size + this.changeCount === 0) this.#state = undefined;
  }

  /** False: no delivery at `offset` is set aside. */
  postpone(offset: number, until: RetryTime): boolean {
    const delivery = this.get(offset);
    if (delivery === undefined) return false;
    this.unclaim(offset);
    this.add(postponeDelivery(delivery, until));
    return true;
  }

  /** False: no delivery at `offset` is set aside. */
  finish(offset: number): boolean {
    const delivery = this.get(offset);
    if (delivery === undefined) return false;
    this.#state?.waiting.delete(offset);
    this.unclaim(offset);
    this.#state?.changes.set(waitingIdOf(delivery), undefined);
    return true;
  }

  isClaimed(offset: number): boolean {
    return this.#state?.claimed.has(offset) === true;
  }

  /** Claims a delivery; false: it is being tried or parked. One that is not set aside can always be claimed. */
  claim(offset: number): boolean {
    if (this.isClaimed(offset)) return false;
    if (this.#state?.waiting.has(offset) === true) this.#state.claimed.add(offset);
    return true;
  }

  /** Releases a claim: the attempt did not begin. */
  unclaim(offset: number): void {
    this.#state?.claimed.delete(offset);
  }

  /** Claims the unclaimed delivery that was set aside first. */
  claimOldest(): OpenDelivery | undefined {
    for (const delivery of this.all()) if (this.claim(delivery.offset)) return delivery;
    return undefined;
  }

  /** Makes the next attempt due at `at`; false: no delivery at `offset` is set aside. */
  makeDue(offset: number, at: Millis): boolean {
    const delivery = this.get(offset);
    if (delivery !== undefined) this.add({ ...delivery, dueAt: at, waitMs: 0 });
    return delivery !== undefined;
  }

  /** Call when the deliveries at `offsets` are no longer suspended. */
  noteResumed(offsets: Iterable<number>): void {
    for (const offset of offsets) {
      const delivery = this.get(offset);
      if (delivery !== undefined) this.#state?.earliest.add(delivery);
    }
  }

  takeChanges(): ReadonlyMap<string, OpenDelivery | undefined> {
    const state = this.#state;
    if (state === undefined || state.changes.size === 0) return noChanges;
    const { changes } = state;
    state.changes = new Map();
    return changes;
  }

  #put(delivery: OpenDelivery): RetryState {
    const state = (this.#state ??= new RetryState());
    state.waiting.set(delivery.offset, delivery);
    state.earliest.add(delivery);
    return state;
  }
}
