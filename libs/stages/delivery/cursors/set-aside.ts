// Deliveries of one cursor that wait for a retry in records of their own, and the changes not on the log yet.
import type { Postponed } from '../../../domain/delivery/cursor.ts';
import { postponed, waitingPlace } from '../../../domain/delivery/cursor.ts';
import type { OpenDelivery } from '../../../domain/delivery/messages.ts';
import type { Millis } from '../../../domain/message.ts';
import { EarliestDue } from './earliest-due.ts';

export class SetAside {
  /** By offset, in the order in which they were set aside. */
  readonly #waiting = new Map<number, OpenDelivery>();
  /** Undefined until a delivery is set aside, which never happens on most cursors. */
  #earliest: EarliestDue | undefined;
  /** Offsets of deliveries that are being tried or parked. */
  readonly #busy = new Set<number>();
  /** By `waitingPlace`; undefined for a finished delivery. */
  #changes = new Map<string, OpenDelivery | undefined>();

  get size(): number {
    return this.#waiting.size;
  }

  /** When the first of them is due that is not suspended; null: there is none. */
  dueAt(suspended: ReadonlySet<number> | undefined): Millis | null {
    return this.#earliest?.at(this.#waiting, suspended) ?? null;
  }

  get changed(): number {
    return this.#changes.size;
  }

  get(offset: number): OpenDelivery | undefined {
    return this.#waiting.get(offset);
  }

  all(): Iterable<OpenDelivery> {
    return this.#waiting.values();
  }

  /** Takes a delivery as its record on the log says. */
  restore(delivery: OpenDelivery): void {
    this.#waiting.set(delivery.offset, delivery);
    this.#noteDue(delivery);
  }

  add(delivery: OpenDelivery): void {
    this.#waiting.set(delivery.offset, delivery);
    this.#noteDue(delivery);
    this.#changes.set(waitingPlace(delivery), delivery);
  }

  /** False: no delivery at `offset` is set aside. */
  postpone(offset: number, until: Postponed): boolean {
    const delivery = this.#waiting.get(offset);
    if (delivery === undefined) return false;
    this.#busy.delete(offset);
    this.add(postponed(delivery, until));
    return true;
  }

  /** False: no delivery at `offset` is set aside. */
  finish(offset: number): boolean {
    const delivery = this.#waiting.get(offset);
    if (delivery === undefined) return false;
    this.#waiting.delete(offset);
    this.#busy.delete(offset);
    this.#changes.set(waitingPlace(delivery), undefined);
    return true;
  }

  isClaimed(offset: number): boolean {
    return this.#busy.has(offset);
  }

  /** Claims a delivery; false: it is being tried or parked. A delivery that is not set aside can always be claimed. */
  claim(offset: number): boolean {
    if (this.#busy.has(offset)) return false;
    if (this.#waiting.has(offset)) this.#busy.add(offset);
    return true;
  }

  /** Gives a claim back: the attempt did not begin. */
  unclaim(offset: number): void {
    this.#busy.delete(offset);
  }

  /** Claims the unclaimed delivery that was set aside first. */
  claimOldest(): OpenDelivery | undefined {
    for (const delivery of this.#waiting.values()) if (this.claim(delivery.offset)) return delivery;
    return undefined;
  }

  /** The next attempt is due at `at`; false: no delivery at `offset` is set aside. */
  hurry(offset: number, at: Millis): boolean {
    const delivery = this.#waiting.get(offset);
    if (delivery !== undefined) this.add({ ...delivery, dueAt: at, waitMs: 0 });
    return delivery !== undefined;
  }

  /** Those at `offsets` are suspended no longer. */
  resumed(offsets: Iterable<number>): void {
    for (const offset of offsets) {
      const delivery = this.#waiting.get(offset);
      if (delivery !== undefined) this.#noteDue(delivery);
    }
  }

  takeChanges(): Map<string, OpenDelivery | undefined> {
    const changes = this.#changes;
    if (changes.size > 0) this.#changes = new Map();
    return changes;
  }

  #noteDue(delivery: OpenDelivery): void {
    this.#earliest ??= new EarliestDue();
    this.#earliest.add(delivery);
  }
}
