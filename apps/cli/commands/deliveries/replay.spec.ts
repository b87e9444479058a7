import { barOf, positionOf } from './replay.ts';

test('a position may be given as a word, a time, an event id or a sequence number', () => {
  expect(positionOf('earliest')).toBe('earliest');
  expect(positionOf('1795428820812-0')).toEqual({ event_id: '1795428820812-0' });
  expect(positionOf('#12')).toEqual({ sequence: 12 });
  expect(positionOf('2026-11-23T10:00:00Z')).toEqual({ time: Date.UTC(2026, 10, 23, 10) });
  expect(() => positionOf('yesterday evening')).toThrow('It must be');
});

test('the bar shows the progress of a replay, also when it has no events or their number is not known yet', () => {
  expect(barOf({ state: 'running', total: 8, left: 6 })).toBe('[######..................] 2 of 8');
  expect(barOf({ state: 'running', total: 0, left: 0 })).toBe('[########################] 0 of 0');
  expect(barOf({ state: 'pending', total: null, left: null })).toBe('waits for its turn');
  expect(barOf({ state: 'running', total: null, left: null })).toBe('counting the events');
});
