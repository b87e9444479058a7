import { barOf, countOf, firstPositionOf, isBackwards, positionOf } from './replay.ts';

test('a position may be given as a word, a time, an event id or a sequence number', () => {
  expect(positionOf('earliest')).toBe('earliest');
  expect(positionOf('1795428820812-0')).toEqual({ event_id: '1795428820812-0' });
  expect(positionOf('#12')).toEqual({ sequence: 12 });
  expect(positionOf('2026-11-23T10:00:00Z')).toEqual({ time: Date.UTC(2026, 10, 23, 10) });
  expect(() => positionOf('1y')).toThrow('It must be earliest, now, a time');
  expect(() => firstPositionOf('1y')).toThrow('It must be earliest, a time');
  expect(() => positionOf('yesterday evening')).toThrow('It must be');
  const { time } = positionOf('1h') as { readonly time: number };
  expect(Math.abs(Date.now() - 3_600_000 - time)).toBeLessThan(60_000);
});

test.each([
  ['#2', '#1', true],
  ['#1', '#1', false],
  ['1795428820812-10', '1795428820812-9', true],
  ['1795428820812-9', '1795428820812-10', false],
  ['2026-11-23T10:00Z', '2026-11-22T10:00Z', true],
  ['#2', 'now', false],
  ['#2', '1795428820812-0', false],
])('a replay from %s to %s goes backwards: %s', (from, to, expected) => {
  expect(isBackwards(positionOf(from), positionOf(to))).toBe(expected);
});

test('a dry run shows the number of events, and the first and the last of them', () => {
  expect(countOf({ count: 0, first: null, last: null })).toBe('no events');
  expect(countOf({ count: 1, first: '1-0', last: '1-0' })).toBe('1 event, 1-0');
  expect(countOf({ count: 2, first: '1-0', last: '2-0' })).toBe('2 events, from 1-0 to 2-0');
});

test('the bar shows the progress of a replay, also when it has no events or their number is not known yet', () => {
  expect(barOf({ state: 'running', total: 8, left: 6 })).toBe('[######..................] 2 of 8');
  expect(barOf({ state: 'running', total: 0, left: 0 })).toBe('[########################] 0 of 0');
  expect(barOf({ state: 'pending', total: null, left: null })).toBe('waits for its turn');
  expect(barOf({ state: 'running', total: null, left: null })).toBe('counting the events');
});
