// Deletes expired records at the beginning of each partition, up to the first record that is kept.
import { passingTopics, type PassingTopic } from '../../../domain/flow.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { RetentionEvent } from '../../../domain/retention/messages.ts';
import { isPast } from '../../../domain/views/gone/past.ts';
import { positionKey, type Log } from '../../../log/index.ts';
import type { Share } from '../inputs.ts';
import type { Paced } from './cut.ts';
import type { ReaderPositions } from './reader-positions.ts';

/** One page: some milliseconds of work, and large enough that a pack is not unpacked many times. */
const pageBounds = { recordsMax: 500, bytesMax: 256 * 1024 };
/** A long trim is done in parts, so that a crash repeats little and disk space is freed meanwhile. */
const pagesPerTrim = 64;

interface Place {
  readonly topic: PassingTopic;
  readonly partition: number;
}

export class Trim {
  readonly #log: Log;
  readonly #readerPositions: ReaderPositions;
  /** The offset up to which each partition was trimmed. */
  readonly #trimmed = new Map<string, number>();
  /** The offset of the newest fact that was fully applied in each partition. */
  readonly #doneBy = new Map<string, number>();

  constructor(log: Log, readerPositions: ReaderPositions) {
    this.#log = log;
    this.#readerPositions = readerPositions;
  }

  /** Trims the partitions of the share, up to the offsets that all readers have passed. */
  async run(fact: StoredRecord<RetentionEvent>, share: Share, paced: Paced): Promise<void> {
    for (const partition of share) {
      for (const topic of passingTopics) {
        const place = { topic, partition };
        if (this.#doneBy.get(keyOf(place)) !== fact.offset) await this.#trim(place, fact, paced);
      }
    }
  }

  async #trim(place: Place, fact: StoredRecord<RetentionEvent>, paced: Paced): Promise<void> {
    const to = await this.#readerPositions.passed(place.topic, place.partition, fact.offset);
    for (let from = this.#trimmed.get(keyOf(place)) ?? 0; from < to;) {
      const { below, done } = await this.#pastPages(place, { from, to }, fact, paced);
      if (below > from) await this.#log.trim(place.topic, place.partition, below);
      this.#trimmed.set(keyOf(place), below);
      if (done) this.#doneBy.set(keyOf(place), fact.offset);
      if (done || below <= from) return;
      from = below;
    }
  }

  /** Returns where the expired records end, within some pages. `done`: the record there is kept. */
  async #pastPages(
    { topic, partition }: Place,
    { from, to }: { from: number; to: number },
    fact: StoredRecord<RetentionEvent>,
    paced: Paced,
  ): Promise<{ below: number; done: boolean }> {
    let below = from;
    for (let pages = 0; pages < pagesPerTrim && below < to; pages++) {
      const page = await paced(() => this.#log.read(topic, partition, below, { ...pageBounds, to }));
      const kept = page.records.find((record) => !isPast(topic, record, fact.data));
      if (kept !== undefined) return { below: kept.offset, done: true };
      if (page.next <= below) break;
      below = page.next;
    }
    return { below, done: false };
  }
}

const keyOf = ({ topic, partition }: Place): string => positionKey(topic, partition);
