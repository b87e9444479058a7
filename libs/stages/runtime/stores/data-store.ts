// Holds the entries of one data store in memory, in the order in which their keys were first set.
import type { Millis } from '../../../domain/message.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';

export interface StoreEntry {
  readonly slot: number;
  readonly key: string;
  /** The key, sealed as on the log. */
  readonly name: Sealed;
  readonly value: Sealed;
  /** The size of key and value as JSON text. */
  readonly bytes: number;
  readonly expiresAt: Millis | null;
}

export class DataStore {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Millis;
  readonly #bySlot = new Map<number, StoreEntry>();
  readonly #slots = new Map<string, number>();
  /** Whether `#bySlot` is in the order of slots: the log has entries in the order in which they were written last. */
  #isOrdered = true;
  #lastSlot = -1;
  #bytes = 0;

  constructor(id: string, { name, createdAt }: { readonly name: string; readonly createdAt: Millis }) {
    this.id = id;
    this.name = name;
    this.createdAt = createdAt;
  }

  get keys(): number {
    return this.#bySlot.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): StoreEntry | undefined {
    const slot = this.#slots.get(key);
    return slot === undefined ? undefined : this.#bySlot.get(slot);
  }

  at(slot: number): StoreEntry | undefined {
    return this.#bySlot.get(slot);
  }

  put(entry: StoreEntry): void {
    const old = this.#bySlot.get(entry.slot);
    if (old === undefined) {
      this.#isOrdered &&= entry.slot > this.#lastSlot;
      this.#lastSlot = Math.max(this.#lastSlot, entry.slot);
    }
    this.#bySlot.set(entry.slot, entry);
    this.#slots.set(entry.key, entry.slot);
    this.#bytes += entry.bytes - (old?.bytes ?? 0);
  }

  /** Removes the entry in this slot, if there is one. */
  remove(slot: number): void {
    const entry = this.#bySlot.get(slot);
    if (entry === undefined) return;
    this.#bySlot.delete(slot);
    if (this.#slots.get(entry.key) === slot) this.#slots.delete(entry.key);
    this.#bytes -= entry.bytes;
  }

  /** All entries, in the order of their slots. */
  entries(): Iterable<StoreEntry> {
    if (!this.#isOrdered) {
      const all = [...this.#bySlot.values()].sort((a, b) => a.slot - b.slot);
      this.#bySlot.clear();
      for (const entry of all) this.#bySlot.set(entry.slot, entry);
      this.#isOrdered = true;
    }
    return this.#bySlot.values();
  }
}
