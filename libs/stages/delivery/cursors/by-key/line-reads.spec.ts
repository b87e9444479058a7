// Lines of slow receivers hold few events in memory, and never use the memory of cursors that catch up.
import { cursorAt } from '../../../../domain/delivery/cursor.ts';
import type { RecordOn } from '../../../../domain/messages-of.ts';
import { Semaphore } from '../../../../primitives/sharing/semaphore.ts';
import { until } from '../../../../../test/support/until.ts';
import { defaultLimits } from '../../delivery-limits.ts';
import { EventBuffer } from '../../events/buffer.ts';
import { subscriptionTo } from '../../subscriptions/subscription-target.fake.ts';
import { CatchUp } from '../catch-up.ts';
import { SourceCursor } from '../source-cursor.ts';
import { LineReads, type LineReadsOptions } from './line-reads.ts';
import { SubscriptionCursor } from './subscription-cursor.ts';

const limits = defaultLimits;
/** Each event takes some 4.5 KiB in memory. */
const text = 'x'.repeat(4_000);

interface Shape {
  readonly events: number;
  /** The number of sources, whose events alternate. */
  readonly sources: number;
  /** The number of keys of each source, whose events alternate. */
  readonly keys: number;
  /** As in the limits of delivery. */
  readonly lineBytesMax?: number;
}

/** A log, and the cursors that read it. */
class World {
  readonly buffer: EventBuffer;
  readonly catchUp: CatchUp;
  /** Records read for lines. */
  readForLines = 0;
  readonly #shape: Shape;
  /** What the receiver of a cursor does once the cursor has events. */
  act: (cursor: SourceCursor) => void = () => {};

  constructor(shape: Shape) {
    this.#shape = shape;
    const buffer = (this.buffer = new EventBuffer({ ...limits, ...shape }));
    const shared = { readSlots: new Semaphore(4), buffer, limits, fail: raise };
    const log = {
      read: async (_topic: string, _partition: number, from: number, { recordsMax = 1 }: { recordsMax?: number }) => {
        const page = this.#page(from, recordsMax);
        this.readForLines += page.records.length;
        return page;
      },
    };
    const context = { log, partition: 0, fail: raise } as unknown as LineReadsOptions['context'];
    const lines = new LineReads({ ...shared, context, fed: (cursor) => this.act(cursor) });
    this.catchUp = new CatchUp({
      ...shared,
      log: { read: async (_topic, _partition, from, { recordsMax }) => this.#page(from, recordsMax) },
      partition: 0,
      sourceRecords: { isSparse: async () => false, page: async () => undefined },
      lines,
      tailAt: () => shape.events,
      fed: (cursor) => this.act(cursor),
    });
  }

  /** The last events are of a source that only a quick receiver wants. */
  get healthyFrom(): number {
    return this.#shape.events - 100;
  }

  #page(from: number, recordsMax: number) {
    const count = Math.max(0, Math.min(recordsMax, this.#shape.events - from));
    const records = Array.from({ length: count }, (_, i) => this.#event(from + i));
    return { topic: 'channels' as const, partition: 0, records, next: from + count, malformed: [] };
  }

  #event(offset: number): RecordOn<'channels'> {
    const { sources, keys } = this.#shape;
    const emitterId = offset >= this.healthyFrom ? 'dc_healthy' : `dc_${offset % sources}`;
    const event = { key: Math.floor(offset / sources) % keys, text };
    return {
      id: `rec_${offset}`,
      type: 'EventEmitted',
      version: 1,
      key: emitterId,
      at: 1,
      workspace: 'o_1',
      correlationId: 'c',
      causationId: 'c',
      topic: 'channels',
      partition: 0,
      offset,
      data: { emitterId, eventId: `1-${offset}`, channel: '', event, emit: {}, runId: 'run_1' },
    };
  }

  keyedCursor(n: number): SubscriptionCursor {
    const subscription = { ...subscriptionTo({ orderKey: '/key' }), subscriptionId: `sub_${n}` };
    const start = { position: cursorAt(0), behindFrom: 0, buffer: this.buffer };
    return new SubscriptionCursor(subscription, `dc_${n}`, start);
  }

  /** Begins every event that can begin, as the dispatcher does at the cursor's turns. */
  beginAll(cursor: SourceCursor): void {
    for (;;) {
      cursor.moveToLines();
      this.catchUp.requestRead(cursor);
      if (!cursor.canStart) return;
      if (cursor.nextEvent === undefined) return this.catchUp.readNow(cursor);
      cursor.begin(1);
    }
  }
}

function raise(error: Error): never {
  throw error;
}

/** Lets a cursor of a quick receiver catch up; returns how many events it takes at once. */
async function batchOf({ buffer, catchUp, healthyFrom: behindFrom }: World): Promise<number> {
  const start = { position: cursorAt(behindFrom), behindFrom, buffer };
  const healthy = new SourceCursor({ ...subscriptionTo(), subscriptionId: 'sub_healthy' }, 'dc_healthy', start);
  catchUp.readNow(healthy);
  await until('the healthy cursor to be given events', () => healthy.queued > 0);
  return healthy.queued;
}

test('however many keyed cursors of silent receivers have caught up, another cursor catches up at full pace', async () => {
  const world = new World({ events: 15_100, sources: 100, keys: 3 });
  const cursors = Array.from({ length: 100 }, (_, n) => world.keyedCursor(n));
  world.act = (cursor) => {
    if (cursor instanceof SubscriptionCursor) world.beginAll(cursor);
  };
  for (const cursor of cursors) world.beginAll(cursor);
  await until('the silent to have numbered everything', () => cursors.every(({ readFrom }) => readFrom === null));
  expect(cursors.every(({ keyOrder }) => keyOrder?.waiting === 147)).toBe(true);
  expect(world.buffer.lineBytes).toBeLessThan(limits.lineBytesMax + cursors.length * (4_096 + text.length));
  expect(await batchOf(world)).toBe(16);
  world.catchUp.close();
});

test.each([
  { of: 'with room', keys: 1, lineBytesMax: limits.lineBytesMax, readMax: 2 },
  { of: 'with room, of many keys', keys: 100, lineBytesMax: limits.lineBytesMax, readMax: 3 },
  { of: 'without room', keys: 1, lineBytesMax: 0, readMax: 9 },
  { of: 'without room, of many keys', keys: 100, lineBytesMax: 0, readMax: 9 },
])('a long backlog in lines is read a few times in all, whatever its length: $of', async (shape) => {
  const events = 4_000;
  const world = new World({ events: events + 100, sources: 1, ...shape });
  const cursor = world.keyedCursor(0);
  let heldBytes = 0;
  world.act = () => {
    heldBytes = Math.max(heldBytes, world.buffer.lineBytes);
    world.beginAll(cursor);
    if (cursor.readFrom !== null) return;
    for (let [open] = cursor.position.open; open !== undefined; [open] = cursor.position.open) {
      cursor.finish(open.offset, 'delivered');
      world.beginAll(cursor);
    }
  };
  world.beginAll(cursor);
  await until('every event', () => cursor.position.counters.delivered === events);
  expect(world.readForLines).toBeLessThan(shape.readMax * events);
  expect(heldBytes).toBeLessThanOrEqual(shape.lineBytesMax === 0 ? 5_000 : 256 * 1024);
  world.catchUp.close();
});
