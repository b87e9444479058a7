// Which runs wait for others: long runs release their places, and memory bounds how many can.
import { jest } from '@jest/globals';
import type { Room } from '../../../sandbox/sandbox.ts';
import { RunPlaces } from './run-places.ts';
import type { Claim } from './run-places.ts';
import type { SourcePace } from './pace-records.ts';

let room: Record<'quick' | 'slow', Room>;
const begun: string[] = [];
beforeEach(() => {
  jest.useFakeTimers();
  begun.length = 0;
  room = { quick: { all: 1_000, taken: 0 }, slow: { all: 1_000, taken: 0 } };
});
afterEach(() => jest.useRealTimers());

const places = (): RunPlaces =>
  new RunPlaces({
    quickMax: 8,
    newMax: 4,
    heavyMax: 4,
    quickMs: 500,
    newLeaves: 0.25,
    slowLeaves: 0.5,
    room: (pace) => room[pace],
  });

function claim(on: RunPlaces, name: string, sourcePace: SourcePace, workspace = 'w'): Claim {
  const made = { workspace, sourcePace, begin: () => void begun.push(name) };
  on.take(made);
  return made;
}

const many = (on: RunPlaces, sourcePace: SourcePace, count: number): Claim[] =>
  Array.from({ length: count }, (_, n) => claim(on, `${sourcePace}${n}`, sourcePace));

test('many runs that never settle delay a later one by no more than their first half second each', () => {
  const on = places();
  many(on, 'new', 64);
  claim(on, 'innocent', 'new');
  jest.advanceTimersByTime(600 * Math.ceil(64 / 3));
  expect(begun.at(-1)).toBe('innocent');
  expect(begun).toHaveLength(65);
});

test('a source known to be quick never waits for unknown sources', () => {
  const on = places();
  many(on, 'new', 500);
  room.slow = { all: 1_000, taken: 1_000 };
  claim(on, 'known', 'quick');
  expect(begun.at(-1)).toBe('known');
});

test('a long run keeps its place while there is no memory for another long run', () => {
  const on = places();
  many(on, 'quick', 20);
  expect(begun).toHaveLength(6);
  room.quick = { all: 100, taken: 95 };
  jest.advanceTimersByTime(5_000);
  expect(begun).toHaveLength(6);
  room.quick = { all: 100, taken: 50 };
  jest.advanceTimersByTime(1_000);
  expect(begun).toHaveLength(18);
});

test('sources known to wait share the memory for waiting and take no places of quick sources', () => {
  const on = places();
  room.slow = { all: 10, taken: 10 };
  const slow = many(on, 'waiting', 500);
  claim(on, 'known', 'quick');
  expect(begun).toEqual(['known']);
  room.slow = { all: 2_000, taken: 0 };
  jest.advanceTimersByTime(200);
  expect(begun).toHaveLength(501);
  for (const one of slow) on.release(one);
  expect(jest.getTimerCount()).toBe(1);
});

test('a new source never waits for sources that are known to be slow, however many there are', () => {
  const on = places();
  room.slow = { all: 100, taken: 60 };
  many(on, 'waiting', 500);
  claim(on, 'innocent', 'new');
  expect(begun).toEqual(['innocent']);
});

test('only a few of the sources that burn the processor run at once', () => {
  const on = places();
  const [first] = many(on, 'heavy', 20);
  jest.advanceTimersByTime(10_000);
  expect(begun).toEqual(['heavy0', 'heavy1', 'heavy2']);
  if (first) on.release(first);
  expect(begun.at(-1)).toBe('heavy3');
});

test('a place may be kept for another run while nobody waits for it', () => {
  const on = places();
  const [first] = many(on, 'quick', 6);
  if (!first) throw new Error('no claim');
  expect(on.renew(first)).toBe(true);
  claim(on, 'next', 'quick');
  expect(on.renew(first)).toBe(false);
  on.release(first);
  expect(begun.at(-1)).toBe('next');
});

test('no timer is active when there are no runs and no waiting triggers', () => {
  const on = places();
  for (const one of many(on, 'new', 3)) on.release(one);
  jest.advanceTimersByTime(1_000);
  expect(jest.getTimerCount()).toBe(0);
});

test('one workspace never gets all places, however many it asks for', () => {
  const on = places();
  many(on, 'quick', 1_000);
  claim(on, 'other', 'quick', 'v');
  expect(begun).toHaveLength(7);
  expect(begun.at(-1)).toBe('other');
});
