import fc from 'fast-check';
import { beginNext, countFinished, cursorAt, finish, finishedOf, type CursorPosition } from '../cursor.ts';
import {
  expireParked,
  withParkedTimes,
  recordParked,
  parkedSpansMax,
  reopenParked,
  moveToDelivered,
} from './parked.ts';

/** A cursor with events of these times parked. */
const parkedAt = (...times: readonly number[]): CursorPosition =>
  times.reduce((cursor, time, offset) => {
    const begun = beginNext(cursor, offset, 0);
    return recordParked(finish(begun, offset, 'parked'), time);
  }, cursorAt(0));

test('parked events become expired once all of their span is older, and count once', () => {
  const cursor = parkedAt(3_000, 1_000, 2_000, 2_000);
  expect(expireParked(cursor, 1_000)).toBe(cursor);
  const once = expireParked(cursor, 2_001);
  expect(once.counters).toMatchObject({ published: 4, parked: 1, expired: { retention: 3 } });
  expect(expireParked(once, 2_500)).toBe(once);
  expect(expireParked(once, 3_001).counters).toMatchObject({ parked: 0, expired: { retention: 4 } });
});

test('what is delivered or opened again is not counted as parked, nor as expired later', () => {
  const cursor = reopenParked(moveToDelivered(parkedAt(1_000, 2_000, 3_000), [1_000]), 2_000);
  expect(cursor.counters).toMatchObject({ published: 3, delivered: 1, parked: 1 });
  expect(expireParked(cursor, 9_000).counters).toMatchObject({ delivered: 1, parked: 0, expired: { retention: 1 } });
});

test('an event that is counted as expired is not counted as delivered too, and is unfinished when it is opened', () => {
  const expired = expireParked(parkedAt(1_000, 1_000), 2_000);
  expect(moveToDelivered(expired, [1_000])).toBe(expired);
  const open = reopenParked(expired, 1_000);
  expect(open.counters).toMatchObject({ delivered: 0, parked: 0, expired: { gone: 0, retention: 1 } });
  expect(finishedOf(open.counters)).toBe(1);
  expect(countFinished(open, 'gone').counters).toMatchObject({ expired: { gone: 1, retention: 1 } });
});

test('what earlier programs parked expires no earlier than the record that counts it', () => {
  const { parkedTimes: _none, ...counters } = parkedAt(1_000, 2_000).counters;
  const cursor = { ...cursorAt(0), counters: withParkedTimes(counters, 5_000) };
  expect(expireParked(cursor, 5_000)).toBe(cursor);
  expect(expireParked(cursor, 5_001).counters).toMatchObject({ parked: 0, expired: { retention: 2 } });
  expect(reopenParked(cursor, 1_000).counters).toMatchObject({ delivered: 0, parked: 1 });
  const known = parkedAt(1_000).counters;
  expect(withParkedTimes(known, 5_000)).toEqual(known);
});

const act = fc.record({ what: fc.constantFrom('park', 'deliver', 'open', 'expire'), time: fc.nat(5_000) });

test('after any steps the counters add up, few spans stand, and no parked event expires before its time', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 200 }), (acts) => {
      let cursor = cursorAt(0);
      let parked: number[] = [];
      let opened = 0;
      let before = 0;
      for (const { what, time } of acts) {
        if (what === 'park') {
          // Only what is not older than retention keeps is parked.
          parked.push(before + time);
          cursor = recordParked(finish(beginNext(cursor, cursor.next, 0), cursor.next, 'parked'), before + time);
        } else if (what === 'expire') {
          before += time;
          cursor = expireParked(cursor, before);
          parked = parked.toSorted((a, b) => a - b).slice(-cursor.counters.parked || parked.length);
        } else if (parked.length > 0) {
          const [chosen = 0] = parked.splice(time % parked.length, 1);
          cursor = what === 'open' ? reopenParked(cursor, chosen) : moveToDelivered(cursor, [chosen]);
          if (what === 'open') opened++;
        }
        const { counters } = cursor;
        const spans = counters.parkedTimes?.spans ?? [];
        expect(finishedOf(counters)).toBe(counters.published - opened);
        expect(spans.reduce((sum, { count }) => sum + count, 0)).toBe(counters.parked);
        expect(spans.length).toBeLessThanOrEqual(parkedSpansMax);
        expect(spans.every(({ from, to }, i) => from <= to && (spans[i - 1]?.to ?? -1) < from)).toBe(true);
        expect(spans.every(({ to }) => to >= before)).toBe(true);
      }
    }),
  );
});
