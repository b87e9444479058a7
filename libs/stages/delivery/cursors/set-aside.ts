// Keeps deliveries of one cursor that wait for a retry in separate records, and their changes that the log lacks.
import type { Postponed } from '../../../domain/delivery/cursor.ts';
import { postponed, waitingPlace } from '../../../domain/delivery/cursor.ts';
import type { OpenDelivery } from '../../../domain/delivery/messages.ts';
import type { Millis } from '../../../domain/message.ts';
import { EarliestDue } from './earliest-due.ts';

/** Deliveries that were set aside: most cursors never have any, and an idle cursor drops the object. */
class Held {
  /** Deliveries by offset, in the order in which they were set aside. */
  readonly waiting = new Map<number, OpenDelivery>();
  readonly earliest = new EarliestDue();
  /** Offsets of deliveries that are being tried or parked. */
  readonly busy = new Set<number>();
  /** Changes for the log, by `waitingPlace`; undefined for a finished delivery. */
  changes = new Map<string, OpenDelivery | undefined>();
}

const noChanges: ReadonlyMap<string, OpenDelivery | undefined> = new Map();

export class SetAside {
  /** Undefined: no delivery is set aside, and nothing has changed. */
  #held: Held | undefined;

  get size(): number {
    return this.#held?.waiting.size ?? 0;
  }

  /** When the first delivery is due that is not suspended; null: there is none. */
  dueAt(suspended: ReadonlySet<number> | undefined): Millis | null {
    return this.#held?.earliest.at(this.#held.waiting, suspended) ?? null;
  }

  get changed(): number {
    return this.#held?.changes.size ?? 0;
  }

  get(offset: number): OpenDelivery | undefined {
    return this.#held?.waiting.get(offset);
  }

  all(): Iterable<OpenDelivery> {
    return this.#held?.waiting.values() ?? [];
  }

  /** Restores a delivery from its record on the log. */
  restore(delivery: OpenDelivery): void {
    this.#hold(delivery);
  }

  add(delivery: OpenDelivery): void {
    this.#hold(delivery).changes.set(waitingPlace(delivery), delivery);
  }

  /** Frees its memory if it is empty. */
  rest(): void {
    if (this.size + this.changed === 0) this.#held = undefined;
  }

  /** False: no delivery at `offset` is set aside. */
  postpone(offset: number, until: Postponed): boolean {
    const delivery = this.get(offset);
    if (delivery === undefined) return false;
    this.unclaim(offset);
    this.add(postponed(delivery, until));
    return true;
  }

  /** False: no delivery at `offset` is set aside. */
  finish(offset: number): boolean {
    const delivery = this.get(offset);
    if (delivery === undefined) return false;
    this.#held?.waiting.delete(offset);
    this.unclaim(offset);
    this.#held?.changes.set(waitingPlace(delivery), undefined);
    return true;
  }

  isClaimed(offset: number): boolean {
    return this.#held?.busy.has(offset) === true;
  }

  /** Claims a delivery; false: it is being tried or parked. One that is not set aside can always be claimed. */
  claim(offset: number): boolean {
    if (this.isClaimed(offset)) return false;
    if (this.#held?.waiting.has(offset) === true) this.#held.busy.add(offset);
    return true;
  }

  /** Releases a claim: the attempt did not begin. */
  unclaim(offset: number): void {
    this.#held?.busy.delete(offset);
  }

  /** Claims the unclaimed delivery that was set aside first. */
  claimOldest(): OpenDelivery | undefined {
    for (const delivery of this.all()) if (this.claim(delivery.offset)) return delivery;
    return undefined;
  }

  /** Makes the next attempt due at `at`; false: no delivery at `offset` is set aside. */
  hurry(offset: number, at: Millis): boolean {
    const delivery = this.get(offset);
    if (delivery !== undefined) this.add({ ...delivery, dueAt: at, waitMs: 0 });
    return delivery !== undefined;
  }

  /** Call when the deliveries at `offsets` are no longer suspended. */
  resumed(offsets: Iterable<number>): void {
    for (const offset of offsets) {
      const delivery = this.get(offset);
      if (delivery !== undefined) this.#held?.earliest.add(delivery);
    }
  }

  takeChanges(): ReadonlyMap<string, OpenDelivery | undefined> {
    const held = this.#held;
    if (held === undefined || held.changes.size === 0) return noChanges;
    const { changes } = held;
    held.changes = new Map();
    return changes;
  }

  #hold(delivery: OpenDelivery): Held {
    const held = (this.#held ??= new Held());
    held.waiting.set(delivery.offset, delivery);
    held.earliest.add(delivery);
    return held;
  }
}
