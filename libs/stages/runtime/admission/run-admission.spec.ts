// Which runs wait for others: long runs release their places, and memory bounds how many can.
import { jest } from '@jest/globals';
import type { Capacity } from '../../../sandbox/sandbox.ts';
import { RunAdmission } from './run-admission.ts';
import type { Claim } from './run-admission.ts';
import type { SourcePace } from './pace-records.ts';

let room: Record<'quick' | 'slow', Capacity>;
const admitted: string[] = [];
beforeEach(() => {
  jest.useFakeTimers();
  admitted.length = 0;
  room = { quick: { total: 1_000, used: 0 }, slow: { total: 1_000, used: 0 } };
});
afterEach(() => jest.useRealTimers());

const newAdmission = (): RunAdmission =>
  new RunAdmission({
    quickMax: 8,
    newMax: 4,
    heavyMax: 4,
    quickMs: 500,
    newReserve: 0.25,
    slowReserve: 0.5,
    room: (pace) => room[pace],
  });

function claim(on: RunAdmission, name: string, sourcePace: SourcePace, workspace = 'w'): Claim {
  const made = { workspace, sourcePace, begin: () => void admitted.push(name) };
  on.request(made);
  return made;
}

const many = (on: RunAdmission, sourcePace: SourcePace, count: number): Claim[] =>
  Array.from({ length: count }, (_, n) => claim(on, `${sourcePace}${n}`, sourcePace));

test('many runs that never settle delay a later one by no more than their first half second each', () => {
  const on = newAdmission();
  many(on, 'new', 64);
  claim(on, 'innocent', 'new');
  jest.advanceTimersByTime(600 * Math.ceil(64 / 3));
  expect(admitted.at(-1)).toBe('innocent');
  expect(admitted).toHaveLength(65);
});

test('a source known to be quick never waits for unknown sources', () => {
  const on = newAdmission();
  many(on, 'new', 500);
  room.slow = { total: 1_000, used: 1_000 };
  claim(on, 'known', 'quick');
  expect(admitted.at(-1)).toBe('known');
});

test('a long run keeps its place while there is no memory for another long run', () => {
  const on = newAdmission();
  many(on, 'quick', 20);
  expect(admitted).toHaveLength(6);
  room.quick = { total: 100, used: 95 };
  jest.advanceTimersByTime(5_000);
  expect(admitted).toHaveLength(6);
  room.quick = { total: 100, used: 50 };
  jest.advanceTimersByTime(1_000);
  expect(admitted).toHaveLength(18);
});

test('sources known to wait share the memory for waiting and take no places of quick sources', () => {
  const on = newAdmission();
  room.slow = { total: 10, used: 10 };
  const slow = many(on, 'waiting', 500);
  claim(on, 'known', 'quick');
  expect(admitted).toEqual(['known']);
  room.slow = { total: 2_000, used: 0 };
  jest.advanceTimersByTime(200);
  expect(admitted).toHaveLength(501);
  for (const one of slow) on.release(one);
  expect(jest.getTimerCount()).toBe(1);
});

test('a new source never waits for sources that are known to be slow, however many there are', () => {
  const on = newAdmission();
  room.slow = { total: 100, used: 60 };
  many(on, 'waiting', 500);
  claim(on, 'innocent', 'new');
  expect(admitted).toEqual(['innocent']);
});

test('only a few of the sources that burn the processor run at once', () => {
  const on = newAdmission();
  const [first] = many(on, 'heavy', 20);
  jest.advanceTimersByTime(10_000);
  expect(admitted).toEqual(['heavy0', 'heavy1', 'heavy2']);
  if (first) on.release(first);
  expect(admitted.at(-1)).toBe('heavy3');
});

test('a place may be kept for another run while nobody waits for it', () => {
  const on = newAdmission();
  const [first] = many(on, 'quick', 6);
  if (!first) throw new Error('no claim');
  expect(on.renew(first)).toBe(true);
  claim(on, 'next', 'quick');
  expect(on.renew(first)).toBe(false);
  on.release(first);
  expect(admitted.at(-1)).toBe('next');
});

test('no timer is active when there are no runs and no waiting triggers', () => {
  const on = newAdmission();
  for (const one of many(on, 'new', 3)) on.release(one);
  jest.advanceTimersByTime(1_000);
  expect(jest.getTimerCount()).toBe(0);
});

test('one workspace never gets all places, however many it asks for', () => {
  const on = newAdmission();
  many(on, 'quick', 1_000);
  claim(on, 'other', 'quick', 'v');
  expect(admitted).toHaveLength(7);
  expect(admitted.at(-1)).toBe('other');
});
