// Order by key on one cursor, against a plain model: an event never overtakes another one of its key.
import fc from 'fast-check';
import { cursorAt, finishedOf, openDeliveriesMax, type CursorPosition } from '../../../../domain/delivery/cursor.ts';
import type { Json } from '../../../../domain/json.ts';
import type { OpenDelivery } from '../../../../domain/delivery/messages.ts';
import { defaultLimits } from '../../delivery-limits.ts';
import { EventBuffer, bufferedEvent } from '../../events/buffer.ts';
import type { EmittedRecord } from '../../events/buffer.ts';
import { subscriptionTo } from '../../subscriptions/subscription-target.fake.ts';
import { keysMax, type LineState } from '../../order/key-order.ts';
import { heldMax } from '../../order/line-memory.ts';
import { linePageOf } from './line-reads.ts';
import { SubscriptionCursor } from './subscription-cursor.ts';

const subscription = subscriptionTo({ orderKey: '/key' });

const emitted = (offset: number, key: Json): EmittedRecord => ({
  topic: 'channels',
  partition: 0,
  offset,
  id: `rec_${offset}`,
  type: 'EventEmitted',
  version: 1,
  key: 'dc_1',
  at: 1,
  workspace: 'o_1',
  correlationId: 'c',
  causationId: 'c',
  data: { emitterId: 'dc_1', eventId: `1-${offset}`, channel: '', event: { key }, emit: {}, runId: 'run_1' },
});

/** What the log has of the cursor. */
interface Recorded {
  readonly position: CursorPosition;
  readonly behindFrom: number | null;
  readonly orderedBy: string | undefined;
  readonly waiting: readonly OpenDelivery[];
  readonly lines: ReadonlyMap<string, LineState>;
  /** How far the tail had read. */
  readonly mark: number;
}

class World {
  readonly buffer: EventBuffer;
  readonly log: EmittedRecord[];
  readonly finished = new Set<number>();
  cursor: SubscriptionCursor;
  tail = 0;
  #recorded: Recorded;

  constructor(keys: readonly Json[], lineBytesMax = defaultLimits.lineBytesMax) {
    const buffer = (this.buffer = new EventBuffer({ lineBytesMax }));
    this.cursor = new SubscriptionCursor(subscription, 'dc_1', { position: cursorAt(0), behindFrom: null, buffer });
    // Other events are between those of the cursor.
    this.log = keys.map((key, i) => emitted(2 * i, key));
    this.#recorded = this.#snapshot(new Map());
  }

  #snapshot(lines: ReadonlyMap<string, LineState>): Recorded {
    const { position, unreadFrom: behindFrom, keyOrder, retries } = this.cursor;
    const orderedBy = keyOrder?.isEmpty === false ? keyOrder.pointer : undefined;
    return { position, behindFrom, orderedBy, waiting: [...retries.all()], lines, mark: this.tail };
  }

  flush(): void {
    const lines = new Map(this.#recorded.lines);
    for (const [key, state] of this.cursor.keyOrder?.takeChanges() ?? [])
      if (state === undefined) lines.delete(key);
      else lines.set(key, state);
    this.#recorded = this.#snapshot(lines);
    this.cursor.markRecorded();
  }

  kill(): void {
    const { position, behindFrom, orderedBy, waiting, lines, mark } = this.#recorded;
    this.cursor.fallBehind();
    expect(heldBytes(this.buffer)).toBe(0);
    const { buffer } = this;
    this.cursor = new SubscriptionCursor(subscription, 'dc_1', { position, behindFrom, orderedBy, buffer });
    for (const delivery of waiting) this.cursor.restoreRetry(delivery);
    for (const [key, state] of lines) this.cursor.restoreLine(key, state);
    this.cursor.finishRestore();
    this.tail = mark;
  }

  take(count: number): void {
    for (const record of this.log.filter(({ offset }) => offset >= this.tail).slice(0, count)) {
      const { offset, data } = record;
      if (this.cursor.acceptsFromTail(offset)) this.cursor.queueFromTail(bufferedEvent(record, 'tail'), data.event);
      else this.cursor.markUnread(offset);
      this.tail = offset + 1;
    }
  }

  catchUp(count: number): void {
    const { readFrom: from, isBlocked } = this.cursor;
    if (from === null || isBlocked || this.cursor.queued > 0) return;
    const records = this.log.filter(({ offset }) => offset >= from && offset < this.tail).slice(0, count);
    for (const record of records) this.cursor.queueFromLog(bufferedEvent(record, 'catchUp'));
    if (records.length < count) this.cursor.joinTail(this.tail);
  }

  readLines(count: number): void {
    const from = this.cursor.linesReadFrom;
    if (from === null) return;
    const records = this.log.filter(({ offset }) => offset >= from).slice(0, count);
    const end = (records.at(-1)?.offset ?? this.cursor.position.next) + 1;
    this.cursor.readLines({ ...linePageOf(this.cursor, records), from, end });
  }

  begin(): boolean {
    this.cursor.moveToLines();
    if (!this.cursor.canStart || this.cursor.nextEvent === undefined) return false;
    const event = this.cursor.begin(1);
    const logged = this.log.find(({ offset }) => offset === event?.offset);
    expect(logged).toBeDefined();
    for (const { offset, data } of this.log)
      if (offset < (logged?.offset ?? 0) && JSON.stringify(data.event) === JSON.stringify(logged?.data.event))
        expect([logged?.offset, offset, this.finished.has(offset)]).toEqual([logged?.offset, offset, true]);
    return true;
  }

  get open(): readonly OpenDelivery[] {
    return [...this.cursor.unfinished()];
  }

  end(nth: number): void {
    const delivery = this.open[nth % this.open.length];
    if (delivery === undefined) return;
    this.finished.add(delivery.offset);
    this.cursor.finish(delivery.offset, 'delivered');
  }

  fail(nth: number): void {
    const delivery = this.open[nth % this.open.length];
    if (delivery !== undefined) this.cursor.postpone(delivery.offset, { dueAt: 1, waitMs: 1 });
  }

  check(): void {
    const { counters } = this.cursor.position;
    expect(counters.published).toBe(finishedOf(counters) + this.open.length + (this.cursor.keyOrder?.waiting ?? 0));
    const keys = this.open.map(({ orderKey }) => orderKey);
    expect(new Set(keys).size).toBe(keys.length);
    const numbers = this.open.map(({ offset, sequence }) => [offset, sequence]);
    expect(numbers).toEqual(this.open.map(({ offset }) => [offset, offset / 2 + 1]));
  }

  /** From now on every attempt succeeds. */
  finishAll(): void {
    for (let idle = 0; idle < 3; idle++) {
      this.take(this.log.length);
      this.catchUp(7);
      this.readLines(5);
      while (this.begin()) idle = -1;
      while (this.open.length > 0) {
        this.end(0);
        idle = -1;
      }
    }
  }
}

const heldBytes = ({ bytes, catchUpBytes, lineBytes }: EventBuffer): number => bytes + catchUpBytes + lineBytes;

const nth = fc.nat({ max: 30 });
const step = fc.oneof(
  nth.map((n) => (world: World) => world.take(n)),
  nth.map((n) => (world: World) => world.catchUp(n + 1)),
  nth.map((n) => (world: World) => world.readLines(n + 1)),
  fc.constant((world: World) => void world.begin()),
  fc.constant((world: World) => void world.begin()),
  nth.map((n) => (world: World) => world.end(n)),
  nth.map((n) => (world: World) => world.fail(n)),
  fc.constant((world: World) => world.flush()),
  fc.constant((world: World) => world.kill()),
  fc.constant((world: World) => world.cursor.fallBehind()),
);
/** Bytes in memory, from none, so that each cursor holds little, to more than needed. */
const lineBytesMax = fc.constantFrom(0, 3_000, 1_000_000);
const keys = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 60 });

test('no event starts before all earlier events of its key have finished, and all are numbered and counted', () => {
  fc.assert(
    fc.property(keys, lineBytesMax, fc.array(step, { maxLength: 150 }), (keysGiven, bytesMax, steps) => {
      const world = new World(keysGiven, bytesMax);
      for (const act of steps) {
        act(world);
        world.check();
      }
      world.finishAll();
      world.flush();
      const { counters, next } = world.cursor.position;
      expect(counters).toMatchObject({ published: keysGiven.length, delivered: keysGiven.length });
      expect([next, world.cursor.keyOrder?.isEmpty, heldBytes(world.buffer)]).toEqual([
        2 * keysGiven.length - 1,
        true,
        0,
      ]);
      world.kill();
      expect(world.cursor.keyOrder?.isEmpty).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('100,000 events behind a failing key cost one small record and no memory', () => {
  const world = new World(['same']);
  for (const record of world.log.slice(0, 1))
    world.cursor.queueFromTail(bufferedEvent(record, 'tail'), record.data.event);
  world.begin();
  world.fail(0);
  for (let round = 1; round <= 100_000; round++) {
    const record = emitted(2 * round, 'same');
    world.cursor.queueFromTail(bufferedEvent(record, 'tail'), record.data.event);
    world.cursor.moveToLines();
  }
  const changes = [...(world.cursor.keyOrder?.takeChanges().values() ?? [])];
  expect(changes).toEqual([{ first: 2, sequence: 2, last: 200_000, waiting: 100_000 }]);
  expect(world.buffer.bytes).toBe(0);
});

test('a busy key keeps only a few events in memory', () => {
  const world = new World([]);
  for (let i = 0; i < 2_000; i++) {
    const record = emitted(2 * i, 'same');
    world.cursor.queueFromTail(bufferedEvent(record, 'tail'), record.data.event);
  }
  world.cursor.begin(1);
  world.cursor.moveToLines();
  expect([world.cursor.keyOrder?.heldCount, world.cursor.keyOrder?.waiting]).toEqual([heldMax, 1_999]);
});

test('the cursor waits when a thousand keys fail, and continues with the first that recovers', () => {
  const world = new World(Array.from({ length: keysMax + 5 }, (_, i) => i));
  world.take(keysMax + 5);
  while (world.begin()) world.fail(world.open.length - 1);
  expect([world.open.length, world.cursor.position.open.length <= openDeliveriesMax, world.cursor.isBlocked]).toEqual([
    keysMax,
    true,
    true,
  ]);
  world.end(0);
  world.catchUp(10);
  expect(world.begin()).toBe(true);
  expect(world.begin()).toBe(false);
});

test('100,000 keys that do not fail leave no state behind', () => {
  const world = new World([]);
  for (let i = 0; i < 100_000; i++) {
    const record = emitted(2 * i, i);
    world.cursor.queueFromTail(bufferedEvent(record, 'tail'), record.data.event);
    world.cursor.moveToLines();
    world.cursor.begin(1);
    world.cursor.finish(2 * i, 'delivered');
  }
  expect([world.cursor.keyOrder?.isEmpty, world.cursor.keyOrder?.changeCount]).toEqual([true, 0]);
});
