// Stores one build's checkpoint: the positions that its documents have passed, written by several processes at once.
import type { Collection } from 'mongodb';
import type { Positions } from '../../../log/log.ts';
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

  /**
   * Moves each position separately, only forwards: instances own different partitions, and a former owner can be late.
   */
  async save(positions: Positions): Promise<void> {
    const passed = Object.entries(positions);
    const dotted = passed.find(([key]) => key.includes('.') || key.startsWith('$'));
    if (dotted !== undefined) throw new Error(`A checkpoint cannot hold ${dotted[0]}: a name with a dot`);
    if (passed.length === 0) return;
    const change = Object.fromEntries(passed.map(([key, next]) => [`positions.${key}`, next]));
    await this.#collection.updateOne({ _id: this.#build }, { $max: change }, { upsert: true });
  }
}
