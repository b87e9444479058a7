// To read single records, only the batches that hold them are fetched, each once.
import type { RawMessage } from '../../kafkajs/kafka-protocol.ts';
import type { Fetched, Fetcher, FetchPosition } from '../fetcher.ts';
import { PartitionReader } from './partition-reader.ts';

const perBatch = 50;
const batches = 400;
const end = perBatch * batches;

/** Returns whole batches, at least one; each has 5 KB as it is sent. */
class Batches {
  readonly fetched: number[] = [];

  async fetch([wanted]: readonly FetchPosition[], _waitMs: number, bytesMax: number): Promise<readonly Fetched[]> {
    if (wanted === undefined) return [];
    const first = Math.floor(wanted.offset / perBatch);
    const count = Math.min(batches - first, Math.max(1, Math.floor(bytesMax / 5_000)));
    for (let n = first; n < first + count; n++) this.fetched.push(n);
    const offsets = Array.from({ length: count * perBatch }, (_, i) => first * perBatch + i);
    const messages = offsets.filter((offset) => offset >= wanted.offset).map(messageAt);
    return [{ ...wanted, messages, next: (first + count) * perBatch, stableEnd: end, isBeyondEnd: false }];
  }
}

const messageAt = (offset: number): RawMessage =>
  ({ offset: String(offset), key: null, value: Buffer.alloc(100), headers: {} }) as unknown as RawMessage;

let log: Batches;
let reader: PartitionReader;
beforeEach(() => {
  log = new Batches();
  reader = new PartitionReader(log as unknown as Fetcher);
});

async function readOne(offset: number): Promise<void> {
  const page = await reader.page('channels', 0, offset, { recordsMax: 1, bytesMax: 1, to: offset + 1 });
  expect([page.messages.map((message) => Number(message.offset)), page.next]).toEqual([[offset], offset + 1]);
}

test('scattered single records are read from their batches, each fetched once', async () => {
  for (let batch = 7; batch < batches; batch += 10)
    for (const place of [3, 4, 20, 49]) await readOne(batch * perBatch + place);
  expect(log.fetched).toEqual(Array.from({ length: 40 }, (_, n) => 7 + n * 10));
});

test('each batch is fetched once also for three readers in turn, and after reading whole pages', async () => {
  const bounds = { recordsMax: 512, bytesMax: 1024 * 1024 };
  for (let next = 0; next < end;) next = (await reader.page('channels', 0, next, bounds)).next;
  log.fetched.length = 0;
  for (let place = 0; place < perBatch; place += 5)
    for (const batch of [10, 200, 399]) await readOne(batch * 50 + place);
  expect(log.fetched.toSorted((a, b) => a - b)).toEqual([10, 200, 399]);
});

test('an offset beyond the cached batch is fetched, and no record is skipped', async () => {
  await reader.page('channels', 0, 0, { recordsMax: 10, bytesMax: 1 });
  await readOne(perBatch - 1);
  await readOne(perBatch);
  const page = await reader.page('channels', 0, 2 * perBatch - 1, { recordsMax: 10, bytesMax: 1024 * 1024 });
  expect(Number(page.messages[0]?.offset)).toBe(2 * perBatch - 1);
});
