import fc from 'fast-check';
import { begin, cursorAt, cursorKey, finish, moved, postpone, standing, type CursorPosition } from './cursor.ts';

const target = { subscriptionId: 'sub_1', emitterId: 'dc_1' };

test('a delivery is open from its first attempt until it is finished', () => {
  const begun = begin(cursorAt(5), 7, 1000);
  expect(begun).toEqual({ next: 8, open: [{ offset: 7, attempts: 0, dueAt: 1000 }], sequence: 0 });
  const failed = postpone(begun, 7, 6000);
  expect(failed.open).toEqual([{ offset: 7, attempts: 1, dueAt: 6000 }]);
  expect(finish(failed, 7)).toEqual({ next: 8, open: [], sequence: 1 });
});

test('an event below the cursor cannot begin again, and what is not open cannot finish', () => {
  expect(() => begin(cursorAt(5), 4, 0)).toThrow('below the cursor');
  expect(() => finish(cursorAt(5), 4)).toThrow('not open');
});

test('the record is the position and where unread events begin', () => {
  expect(moved(target, cursorAt(5), 9)).toEqual({ ...target, next: 5, open: [], sequence: 0, behindFrom: 9 });
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
      cursor = begin(cursor, offset, step);
      begun++;
    } else if (step % 3 === 1 && open !== undefined) {
      cursor = finish(cursor, open.offset);
      finished.push(open.offset);
    } else if (open !== undefined) {
      cursor = postpone(cursor, open.offset, step);
    }
  }
  return { cursor, finished, begun };
}

const offsetsArbitrary = fc.uniqueArray(fc.nat(10_000), { maxLength: 30 }).map((all) => all.toSorted((a, b) => a - b));
const stepsArbitrary = fc.array(fc.nat(1000), { maxLength: 120 });

test('whatever happens, the open ones are in order and below next, and the sequence counts the finished', () => {
  fc.assert(
    fc.property(offsetsArbitrary, stepsArbitrary, (offsets, steps) => {
      const { cursor, finished } = walk(offsets, steps);
      const open = cursor.open.map((delivery) => delivery.offset);
      expect(open).toEqual(open.toSorted((a, b) => a - b));
      expect(open.every((offset) => offset < cursor.next)).toBe(true);
      expect(cursor.sequence).toBe(finished.length);
    }),
  );
});

test('from a record and a mark alone, every event is known as finished, open or waiting: none is lost or repeated', () => {
  fc.assert(
    fc.property(offsetsArbitrary, stepsArbitrary, fc.nat(30), (offsets, steps, seen) => {
      const { cursor, finished, begun } = walk(offsets, steps);
      const seenCount = Math.max(begun, Math.min(seen, offsets.length));
      const mark = (offsets[seenCount - 1] ?? -1) + 1;
      const unreadFrom = begun < seenCount ? (offsets[begun] ?? null) : null;
      const record = JSON.parse(JSON.stringify(moved(target, cursor, unreadFrom))) as ReturnType<typeof moved>;
      for (const [index, offset] of offsets.entries()) {
        const expected = finished.includes(offset) ? 'finished' : index < begun ? 'open' : 'waiting';
        expect(standing(record, offset, mark)).toBe(expected);
      }
    }),
  );
});
