// The last ten thousand ids are remembered, each with its event, in few small records.
import fc from 'fast-check';
import { idHash, RecentIds, recentIdsMax, segmentIds } from './recent-ids.ts';
import type { Segment } from './recent-ids.ts';

const eventOf = (n: number): string => `${1_700_000_000_000 + n}-${n}`;

function remember(recent: RecentIds, from: number, to: number): void {
  for (let n = from; n < to; n++) recent.add(idHash(`id ${n}`), eventOf(n));
}

const found = (recent: RecentIds, n: number): string | undefined => recent.find(idHash(`id ${n}`));

/** The numbers in this range that are found although they should be forgotten, or the other way round. */
function wrong(recent: RecentIds, { oldest, from, to }: { oldest: number; from: number; to: number }): number[] {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  return numbers.filter((n) => found(recent, n) !== (n < oldest ? undefined : eventOf(n)));
}

/** As another process restores it from the log, which keeps the newest record of each segment. */
function restored(segments: Iterable<Segment>): RecentIds {
  const recent = new RecentIds();
  for (const segment of segments) recent.restore(segment);
  recent.finishRestoring();
  return recent;
}

test('the last ten thousand ids are found with their events, older ones are not', () => {
  const recent = new RecentIds();
  const count = 2 * recentIdsMax + 7;
  remember(recent, 0, count);
  const oldest = count - recentIdsMax;
  expect(wrong(recent, { oldest, from: 0, to: count })).toEqual([]);
});

test('an event id with the largest time and sequence is kept exactly', () => {
  const recent = new RecentIds();
  const far = `${2 ** 47}-${2 ** 48 - 1}`;
  recent.add(idHash('far'), far);
  expect(recent.find(idHash('far'))).toBe(far);
});

test.each(['1e300-0', `1-${2 ** 48}`, 'x', ''])('the invalid event id %j is not kept', (eventId) => {
  const recent = new RecentIds();
  recent.add(idHash('odd'), eventId);
  expect([recent.find(idHash('odd')), recent.takeChanged()]).toEqual([undefined, []]);
});

test('one new id changes only the newest segment, and a thousand change at most nine', () => {
  const recent = new RecentIds();
  remember(recent, 0, recentIdsMax + segmentIds - 1);
  recent.takeChanged();
  const full = recentIdsMax + segmentIds - 1;
  remember(recent, full, full + 1);
  expect(recent.takeChanged().map(({ segment }) => segment)).toEqual([0]);
  remember(recent, full + 1, full + 1_001);
  const changed = recent.takeChanged();
  expect(changed.length).toBeLessThanOrEqual(9);
  for (const { ids } of changed) expect(Buffer.from(ids, 'base64')).toHaveLength(segmentIds * 24);
  expect(recent.takeChanged()).toEqual([]);
});

test('predicts how many segments would change', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(400), { maxLength: 40 }), (steps) => {
      const recent = new RecentIds();
      let at = 0;
      for (const [index, ids] of steps.entries()) {
        if (index % 2 === 0) recent.takeChanged();
        const before = index % 2 === 0 ? 0 : undefined;
        const predicted = recent.segmentsChangedBy(ids);
        remember(recent, at, at + ids);
        at += ids;
        if (before === 0) expect(recent.takeChanged().length).toBe(predicted);
      }
    }),
    { numRuns: 30 },
  );
});

test('the segments on the log restore all ids, after any additions and restarts', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3_000), { maxLength: 10 }), (steps) => {
      const log = new Map<number, Segment>();
      let recent = new RecentIds();
      let at = 0;
      for (const ids of steps) {
        remember(recent, at, at + ids);
        at += ids;
        for (const segment of recent.takeChanged()) log.set(segment.segment, segment);
        recent = restored([...log.values()].reverse());
      }
      const oldest = at - recentIdsMax;
      expect(wrong(recent, { oldest, from: Math.max(0, oldest - 20), to: at })).toEqual([]);
      expect(recent.segments).toBe(log.size);
    }),
    { numRuns: 20 },
  );
});

test('invalid segments are ignored', () => {
  const recent = restored([
    { segment: 1_000_000, count: 5, ids: 'AAAA' },
    { segment: 3, count: 0, ids: 'not base64 at all'.repeat(1_000) },
  ]);
  remember(recent, 0, 10);
  expect(found(recent, 9)).toBe(eventOf(9));
});
