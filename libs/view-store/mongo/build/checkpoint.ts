// Stores one build's checkpoint: the positions that its documents have passed, written by several processes at once.
import type { Collection } from 'mongodb';
import type { Positions } from '../../../log/log.ts';
import type { HeldRecords } from '../../view-store.ts';
import type { StoredCheckpoint } from '../collection-names.ts';

export class Checkpoint {
  readonly #collection: Collection<StoredCheckpoint>;
  readonly #build: string;

  constructor(collection: Collection<StoredCheckpoint>, build: string) {
    this.#collection = collection;
    this.#build = build;
  }

  async read(): Promise<Positions> {
    const found = await this.#collection.findOne({ _id: this.#build });
    return found?.positions ?? {};
  }

  async held(): Promise<HeldRecords> {
    const found = await this.#collection.findOne({ _id: this.#build });
    return found?.held ?? {};
  }

  /**
   * Moves each position separately, only forwards: instances own different partitions, and a former owner can be late.
   * A held record that it replaces by an earlier one tells as much.
   */
  async save(positions: Positions, held: HeldRecords = {}): Promise<void> {
    const passed = Object.entries(positions);
    const dotted = passed.find(([key]) => key.includes('.') || key.startsWith('$'));
    if (dotted !== undefined) throw new Error(`A checkpoint cannot hold ${dotted[0]}: a name with a dot`);
    if (passed.length === 0) return;
    const change = Object.fromEntries(passed.map(([key, next]) => [`positions.${key}`, next]));
    const records = Object.entries(held).map(([key, record]) => [`held.${key}`, record] as const);
    const replaced = records.length === 0 ? {} : { $set: Object.fromEntries(records) };
    await this.#collection.updateOne({ _id: this.#build }, { $max: change, ...replaced }, { upsert: true });
  }
}
