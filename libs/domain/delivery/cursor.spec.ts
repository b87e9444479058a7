import fc from 'fast-check';
import {
  cursorRecordData,
  beginNext,
  countFinished,
  cursorAt,
  cursorKey,
  dueAfterRestart,
  finish,
  finishedOf,
  fromCursorMoved,
  expireUnbegun,
} from './cursor.ts';
import { postpone, removeOpen, eventStateOf, waitingKey, waitingIdOf, type CursorPosition } from './cursor.ts';

const until = (dueAt: number) => ({ dueAt, waitMs: 5_000 });

const target = { subscriptionId: 'sub_1', emitterId: 'dc_1' };

test('a delivery is open from its first attempt until it is finished', () => {
  const begun = beginNext(cursorAt(5), 7, 1000);
  expect(begun).toMatchObject({ next: 8, open: [{ offset: 7, sequence: 1, attempts: 0, dueAt: 1000, waitMs: 0 }] });
  const failed = postpone(begun, 7, until(6000));
  expect(failed.open).toEqual([{ offset: 7, sequence: 1, attempts: 1, dueAt: 6000, waitMs: 5000 }]);
  const finished = finish(failed, 7, 'delivered');
  expect(finished).toMatchObject({ next: 8, open: [], counters: { published: 1, delivered: 1 } });
  expect(beginNext(finished, 9, 0).open).toMatchObject([{ offset: 9, sequence: 2 }]);
});

test('a delivery with a record of its own is unfinished until it is counted', () => {
  const aside = removeOpen(beginNext(beginNext(cursorAt(5), 7, 0), 8, 0), 7);
  expect(aside.open).toMatchObject([{ offset: 8, sequence: 2 }]);
  expect(finishedOf(aside.counters)).toBe(0);
  expect(countFinished(countFinished(aside, 'parked'), 'gone').counters).toEqual({
    published: 2,
    delivered: 0,
    parked: 1,
    filtered: 0,
    expired: { gone: 1, retention: 0 },
  });
});

test('events that retention removes are numbered and counted as expired, begun or not', () => {
  const cursor = finish(beginNext(cursorAt(5), 7, 0), 7, 'overtaken');
  expect(expireUnbegun(cursor, { count: 3, next: 12 })).toMatchObject({
    next: 12,
    counters: { published: 4, expired: { retention: 4 } },
  });
  expect(expireUnbegun(cursor, { count: 0, next: 6 })).toEqual(cursor);
  expect(finishedOf(expireUnbegun(cursor, { count: 3, next: 12 }).counters)).toBe(4);
});

test('a cursor of an earlier program continues with the numbers that follow from its fields', () => {
  const open = [3, 6].map((offset) => ({ offset, attempts: 1, dueAt: 10 }));
  const cursor = fromCursorMoved({ ...target, next: 9, open, sequence: 4, behindFrom: null });
  expect(cursor).toMatchObject({
    next: 9,
    open: [
      { offset: 3, sequence: 5 },
      { offset: 6, sequence: 6 },
    ],
  });
  expect(cursor.counters).toMatchObject({ published: 6, delivered: 4 });
});

test('after a restart no delivery waits longer than its retry interval, whatever time was recorded', () => {
  const delivery = { offset: 7, sequence: 1, attempts: 1, dueAt: 900_000_000, waitMs: 5_000 };
  expect(dueAfterRestart(delivery, 1_000)).toBe(6_000);
  expect(dueAfterRestart({ ...delivery, dueAt: 3_000 }, 1_000)).toBe(3_000);
});

test('an event below the cursor cannot begin again, and what is not open cannot finish', () => {
  expect(() => beginNext(cursorAt(5), 4, 0)).toThrow('below the cursor');
  expect(() => finish(cursorAt(5), 4, 'delivered')).toThrow('not open');
});

test('the record holds the position and where unread events begin', () => {
  expect(cursorRecordData(target, cursorAt(5), 9)).toMatchObject({
    ...target,
    epoch: 1,
    next: 5,
    open: [],
    behindFrom: 9,
  });
  expect(waitingKey('sub_1/dc_1', waitingIdOf({ sequence: 3, offset: 7 }))).toBe('sub_1/dc_1/3');
  expect(waitingKey('sub_1/dc_1', waitingIdOf({ sequence: 0, offset: 7 }))).toBe('sub_1/dc_1/again-7');
  expect(cursorKey('sub_1', 'dc_1')).toBe('sub_1/dc_1');
});

interface Walk {
  readonly cursor: CursorPosition;
  readonly finished: readonly number[];
  readonly begun: number;
}

/** Walks a cursor over the offsets of its events, each step chosen by a number. */
function walk(offsets: readonly number[], steps: readonly number[]): Walk {
  let cursor = cursorAt(0);
  let begun = 0;
  const finished: number[] = [];
  for (const step of steps) {
    const offset = offsets[begun];
    const open = cursor.open[step % Math.max(1, cursor.open.length)];
    if (step % 3 === 0 && offset !== undefined) {
      cursor = beginNext(cursor, offset, step);
      begun++;
    } else if (step % 3 === 1 && open !== undefined) {
      cursor = finish(cursor, open.offset, step % 2 === 0 ? 'delivered' : 'parked');
      finished.push(open.offset);
    } else if (open !== undefined) {
      cursor = postpone(cursor, open.offset, until(step));
    }
  }
  return { cursor, finished, begun };
}

const offsetsArbitrary = fc.uniqueArray(fc.nat(10_000), { maxLength: 30 }).map((all) => all.toSorted((a, b) => a - b));
const stepsArbitrary = fc.array(fc.nat(1000), { maxLength: 120 });

test('after any steps, open deliveries are in order and below next, and the counters add up', () => {
  fc.assert(
    fc.property(offsetsArbitrary, stepsArbitrary, (offsets, steps) => {
      const { cursor, finished } = walk(offsets, steps);
      const open = cursor.open.map((delivery) => delivery.offset);
      expect(open).toEqual(open.toSorted((a, b) => a - b));
      expect(open.every((offset) => offset < cursor.next)).toBe(true);
      expect(finishedOf(cursor.counters)).toBe(finished.length);
      expect(cursor.counters.published).toBe(finished.length + cursor.open.length);
    }),
  );
});

test('a record and a mark tell of every event whether it is finished, open or waiting', () => {
  fc.assert(
    fc.property(offsetsArbitrary, stepsArbitrary, fc.nat(30), (offsets, steps, seen) => {
      const { cursor, finished, begun } = walk(offsets, steps);
      const seenCount = Math.max(begun, Math.min(seen, offsets.length));
      const mark = (offsets[seenCount - 1] ?? -1) + 1;
      const unreadFrom = begun < seenCount ? (offsets[begun] ?? null) : null;
      const record = JSON.parse(JSON.stringify(cursorRecordData(target, cursor, unreadFrom))) as ReturnType<
        typeof cursorRecordData
      >;
      for (const [index, offset] of offsets.entries()) {
        const expected = finished.includes(offset) ? 'finished' : index < begun ? 'open' : 'waiting';
        expect(eventStateOf(record, offset, mark)).toBe(expected);
      }
    }),
  );
});
