// Deletes expired records at the beginning of each partition, up to the first record that is kept.
import { expiringTopics, type ExpiringTopic } from '../../../domain/flow.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { RetentionEvent } from '../../../domain/retention/messages.ts';
import { isExpiredRecord } from '../../../domain/views/deletion/expired-record.ts';
import { positionKey, type Log } from '../../../log/index.ts';
import type { Share } from '../inputs.ts';
import type { Paced } from './expired-documents.ts';
import type { ReaderPositions } from './reader-positions.ts';

/** One page: some milliseconds of work, and large enough that a pack is not unpacked many times. */
const pageBounds = { recordsMax: 500, bytesMax: 256 * 1024 };
/** A long trim is done in parts, so that a crash repeats little and disk space is freed meanwhile. */
const pagesPerTrim = 64;

interface Place {
  readonly topic: ExpiringTopic;
  readonly partition: number;
}

export class Trim {
  readonly #log: Log;
  readonly #readerPositions: ReaderPositions;
  /** The offset up to which each partition was trimmed. */
  readonly #trimmed = new Map<string, number>();
  /** The offset of the newest fact that was fully applied in each partition. */
  readonly #doneFact = new Map<string, number>();

  constructor(log: Log, readerPositions: ReaderPositions) {
    this.#log = log;
    this.#readerPositions = readerPositions;
  }

  /** Trims the partitions of the share, up to the offsets that all readers have passed. */
  async run(fact: StoredRecord<RetentionEvent>, share: Share, paced: Paced): Promise<void> {
    for (const partition of share) {
      for (const topic of expiringTopics) {
        const place = { topic, partition };
        if (this.#doneFact.get(keyOf(place)) !== fact.offset) await this.#trim(place, fact, paced);
      }
    }
  }

  async #trim(place: Place, fact: StoredRecord<RetentionEvent>, paced: Paced): Promise<void> {
    const to = await this.#readerPositions.passedByAll(place.topic, place.partition, fact.offset);
    for (let from = this.#trimmed.get(keyOf(place)) ?? 0; from < to;) {
      const { below, isDone } = await this.#findTrimEnd(place, { from, to }, fact, paced);
      if (below > from) await this.#log.trim(place.topic, place.partition, below);
      this.#trimmed.set(keyOf(place), below);
      if (isDone) this.#doneFact.set(keyOf(place), fact.offset);
      if (isDone || below <= from) return;
      from = below;
    }
  }

  /** Returns where the expired records end, within some pages. `isDone`: the record there is kept. */
  async #findTrimEnd(
    { topic, partition }: Place,
    { from, to }: { from: number; to: number },
    fact: StoredRecord<RetentionEvent>,
    paced: Paced,
  ): Promise<{ below: number; isDone: boolean }> {
    let below = from;
    for (let pages = 0; pages < pagesPerTrim && below < to; pages++) {
      const page = await paced(() => this.#log.read(topic, partition, below, { ...pageBounds, to }));
      const firstKept = page.records.find((record) => !isExpiredRecord(topic, record, fact.data));
      if (firstKept !== undefined) return { below: firstKept.offset, isDone: true };
      if (page.next <= below) break;
      below = page.next;
    }
    return { below, isDone: false };
  }
}

const keyOf = ({ topic, partition }: Place): string => positionKey(topic, partition);
