// A follower says of each page whether more records were already there, in the answer or after it.
import type { RawMessage } from '../kafkajs/kafka-protocol.ts';
import { Fetcher, type Fetched, type FetchPosition } from './fetcher.ts';
import { Follower } from './follower.ts';
import { PollerPool } from './poller-pool.ts';

const topic = 'triggers';
const messageAt = (offset: number): RawMessage => ({
  offset: String(offset),
  timestamp: '0',
  key: Buffer.from('key'),
  value: Buffer.alloc(1_000),
  headers: {},
  isControlRecord: false,
  batchContext: { firstOffset: String(offset), lastOffsetDelta: 0, producerId: '1', inTransaction: false },
});

/** A broker that has one record, at an offset below which all were removed. */
class Trimmed extends Fetcher {
  readonly #first: number;

  constructor(first: number) {
    super({ brokers: [], clientId: 'spec' }, [topic], new Set());
    this.#first = first;
  }

  override async fetchEach(
    positions: readonly FetchPosition[],
    _bounds: unknown,
    onAnswers: (answers: readonly Fetched[]) => void,
  ): Promise<void> {
    const first = this.#first;
    const end = { stableEnd: first + 1, isBeyondEnd: false };
    await new Promise(setImmediate);
    onAnswers(
      positions.map(({ partition, offset }) =>
        offset < first
          ? { topic, partition, messages: [], next: first, ...end, removedBelow: first }
          : { topic, partition, messages: offset === first ? [messageAt(first)] : [], next: first + 1, ...end },
      ),
    );
  }
}

/** A broker that gives at most `atOnce` of the offsets below the end in one answer. */
class ShortAnswers extends Fetcher {
  readonly #atOnce: number;
  readonly #end: number;

  constructor(atOnce: number, end: number) {
    super({ brokers: [], clientId: 'spec' }, [topic], new Set());
    this.#atOnce = atOnce;
    this.#end = end;
  }

  override async fetchEach(
    [wanted]: readonly FetchPosition[],
    _bounds: unknown,
    onAnswers: (answers: readonly Fetched[]) => void,
  ): Promise<void> {
    const from = wanted?.offset ?? 0;
    const next = Math.min(this.#end, from + this.#atOnce);
    const messages = Array.from({ length: next - from }, (_, i) => messageAt(from + i));
    await new Promise(setImmediate);
    onAnswers([{ topic, partition: 0, messages, next, stableEnd: this.#end, isBeyondEnd: false }]);
  }
}

test.each([
  ['an answer that holds several pages', 6, 2_500],
  ['answers that are smaller than a page', 2, 1_000_000],
])('`more` is set until the last page of %s', async (_, atOnce, bytesMax) => {
  const pollers = new PollerPool(() => new ShortAnswers(atOnce, 6));
  const follower = new Follower(pollers, [{ topic, partition: 0, offset: 0 }], { recordsMax: 100, bytesMax });
  const pages: [number, boolean][] = [];
  while (pages.length < 3)
    for (const { messages, more } of await follower.next(1_000)) pages.push([messages.length, more]);
  follower.close();
  pollers.close();
  expect(pages).toEqual([
    [2, true],
    [2, true],
    [2, false],
  ]);
});

test('reports records that were removed before it has read them, but none from before its beginning', async () => {
  const pollers = new PollerPool(() => new Trimmed(7));
  const removed: unknown[] = [];
  const from = [0, 3, 7].map((offset, partition) => ({ topic, partition, offset }));
  const bounds = { recordsMax: 100, bytesMax: 1_000_000 };
  const follower = new Follower(pollers, from, bounds, (gap) => removed.push(gap));
  let read = 0;
  while (read < from.length) read += (await follower.next(1_000)).length;
  follower.close();
  pollers.close();
  expect(removed).toEqual([{ topic, partition: 1, from: 3, to: 7 }]);
});
