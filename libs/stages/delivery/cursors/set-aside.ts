// Deliveries of one cursor that wait for a retry in records of their own, and what of that is not on the log yet.
import type { Postponed } from '../../../domain/delivery/cursor.ts';
import { postponed } from '../../../domain/delivery/cursor.ts';
import type { OpenDelivery } from '../../../domain/delivery/messages.ts';

export class SetAside {
  /** By offset; the one that was set aside first comes first. */
  readonly #waiting = new Map<number, OpenDelivery>();
  /** Offsets of those that are being tried, or parked. */
  readonly #busy = new Set<number>();
  /** By sequence; undefined: it is finished. */
  #changes = new Map<number, OpenDelivery | undefined>();

  get size(): number {
    return this.#waiting.size;
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

  /** As its record on the log says. */
  restore(delivery: OpenDelivery): void {
    this.#waiting.set(delivery.offset, delivery);
  }

  add(delivery: OpenDelivery): void {
    this.#waiting.set(delivery.offset, delivery);
    this.#changes.set(delivery.sequence, delivery);
  }

  /** False: it is not here. */
  postpone(offset: number, until: Postponed): boolean {
    const delivery = this.#waiting.get(offset);
    if (delivery === undefined) return false;
    this.#busy.delete(offset);
    this.add(postponed(delivery, until));
    return true;
  }

  /** False: it is not here. */
  finish(offset: number): boolean {
    const delivery = this.#waiting.get(offset);
    if (delivery === undefined) return false;
    this.#waiting.delete(offset);
    this.#busy.delete(offset);
    this.#changes.set(delivery.sequence, undefined);
    return true;
  }

  /** Takes it for an attempt; false: it is being parked. What is not here may always be tried. */
  claim(offset: number): boolean {
    if (this.#busy.has(offset)) return false;
    if (this.#waiting.has(offset)) this.#busy.add(offset);
    return true;
  }

  /** The attempt did not begin. */
  unclaim(offset: number): void {
    this.#busy.delete(offset);
  }

  /** Takes the one that has waited longest and is not being tried. */
  claimOldest(): OpenDelivery | undefined {
    for (const delivery of this.#waiting.values()) if (this.claim(delivery.offset)) return delivery;
    return undefined;
  }

  takeChanges(): Map<number, OpenDelivery | undefined> {
    const changes = this.#changes;
    if (changes.size > 0) this.#changes = new Map();
    return changes;
  }
}
