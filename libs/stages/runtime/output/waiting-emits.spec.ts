// Emits that wait for their time: which is due first, and how sources take turns.
import fc from 'fast-check';
import { WaitingEmits } from './waiting-emits.ts';
import type { WaitingEmit } from './waiting-emits.ts';

const limits = { pendingMax: 50_000, pendingOfSourceMax: 10_000 };
const workspace = 'o_1';
const entry = (sourceId: string, number: number, dueAt: number): WaitingEmit => ({
  sourceId,
  workspace,
  number,
  dueAt,
  at: 1,
  offset: number,
});
/** Another workspace's source and its entries. */
const other = { sourceId: 'dc_other', workspace: 'o_2' };
const source = (sourceId: string) => ({ sourceId, workspace });

function emitAll(waiting: WaitingEmits, now: number, step = 64): WaitingEmit[] {
  const all: WaitingEmit[] = [];
  for (let due = waiting.takeDue(now, step); due.length > 0; due = waiting.takeDue(now, step)) {
    for (const one of due) waiting.remove(one);
    all.push(...due);
  }
  return all;
}

test('returns each entry once when it is due, and the entries of a source in order of time', () => {
  const times = fc.array(fc.record({ source: fc.nat(3), dueAt: fc.nat(50) }), { maxLength: 60 });
  fc.assert(
    fc.property(times, fc.array(fc.nat(60), { maxLength: 8 }), (list, nows) => {
      const waiting = new WaitingEmits(limits);
      const entries = list.map(({ source, dueAt }, number) => entry(`dc_${source}`, number, dueAt));
      const emitted: WaitingEmit[] = [];
      for (const one of entries) waiting.add(one);
      for (const now of [...nows.toSorted((a, b) => a - b), 60]) {
        const due = emitAll(waiting, now, 3);
        expect(due.every(({ dueAt }) => dueAt <= now)).toBe(true);
        emitted.push(...due);
        expect(emitted).toHaveLength(entries.filter(({ dueAt }) => dueAt <= now).length);
      }
      for (const source of ['dc_0', 'dc_1', 'dc_2', 'dc_3']) {
        const dueTimes = emitted.filter(({ sourceId }) => sourceId === source).map(({ dueAt }) => dueAt);
        expect(dueTimes).toEqual(dueTimes.toSorted((a, b) => a - b));
      }
      expect([waiting.firstDue, ...['dc_0', 'dc_1'].map((id) => waiting.has(id))]).toEqual([undefined, false, false]);
    }),
  );
});

test('a source with ten thousand due entries leaves every other turn to one with a few', () => {
  const waiting = new WaitingEmits(limits);
  for (let number = 0; number < 10_000; number++) waiting.add(entry('dc_many', number, 1));
  for (let number = 0; number < 100; number++) waiting.add(entry('dc_few', number, 2));
  const order = emitAll(waiting, 10).map(({ sourceId }) => sourceId);
  expect(order).toHaveLength(10_100);
  expect(order.lastIndexOf('dc_few')).toBeLessThan(4 * 64);
});

test('an entry of another workspace is due after a few turns, however many sources of one workspace have some due', () => {
  const waiting = new WaitingEmits(limits);
  for (let number = 0; number < 2_000; number++) waiting.add(entry(`dc_${number}`, number, 1));
  waiting.add({ ...entry('dc_other', 0, 2), ...other });
  const order = emitAll(waiting, 10).map(({ sourceId }) => sourceId);
  expect(order).toHaveLength(2_001);
  expect(order.indexOf('dc_other')).toBeLessThan(20);
});

test('limits entries per source and in total, including those on their way to the log', () => {
  const waiting = new WaitingEmits({ pendingMax: 8, pendingOfSourceMax: 3 });
  waiting.reserve(source('dc_1'), 2);
  waiting.add(entry('dc_1', 7, 1));
  expect(waiting.capacityFor(source('dc_1'))).toEqual({ next: 8, waiting: 3, room: 0 });
  waiting.reserve(source('dc_2'), 1);
  expect(waiting.capacityFor(source('dc_2')).room).toBe(2);
  waiting.confirm(entry('dc_2', 0, 1));
  expect(waiting.capacityFor(source('dc_2'))).toEqual({ next: 1, waiting: 1, room: 2 });
  waiting.reserve(source('dc_2'), 2);
  expect(waiting.capacityFor(source('dc_3')).room).toBe(0);
});

test('a workspace that takes all it can get leaves places for the next ones, and gets them back as its own end', () => {
  const waiting = new WaitingEmits({ pendingMax: 1_000, pendingOfSourceMax: 1_000 });
  const fill = (id: string): number => {
    const { room } = waiting.capacityFor({ sourceId: `dc_${id}`, workspace: `o_${id}` });
    waiting.reserve({ sourceId: `dc_${id}`, workspace: `o_${id}` }, room);
    for (let number = 0; number < room; number++)
      waiting.confirm({ ...entry(`dc_${id}`, number, 1), workspace: `o_${id}` });
    return room;
  };
  expect(['a', 'b', 'c', 'a', 'b'].map(fill)).toEqual([750, 187, 47, 0, 0]);
  for (let number = 0; number < 750; number++) waiting.remove({ sourceId: 'dc_a', number });
  expect(waiting.capacityFor(other).room).toBe(574);
  expect(fill('b')).toBe(527);
});

test('selects entries by ranges of ids, and removed entries are not due any more', () => {
  const waiting = new WaitingEmits(limits);
  for (let number = 0; number < 5; number++) waiting.add(entry('dc_1', number, 1));
  const range = { from: { at: 1, number: 1 }, to: { at: 1, number: 2 } };
  const chosen = waiting.select('dc_1', 10, range);
  expect(chosen.map(({ number }) => number)).toEqual([1, 2]);
  for (const one of chosen) waiting.remove(one);
  expect(waiting.select('dc_1', 2).map(({ number }) => number)).toEqual([0, 3]);
  expect(emitAll(waiting, 1).map(({ number }) => number)).toEqual([0, 3, 4]);
});

test('memory does not grow with entries that were cancelled before their time', () => {
  const waiting = new WaitingEmits(limits);
  for (let number = 0; number < 100_000; number++) {
    waiting.add(entry('dc_1', number, 1e9 - number));
    waiting.remove({ sourceId: 'dc_1', number });
    waiting.add(entry(`dc_${number % 7}x`, number, 1e9 - number));
    waiting.remove({ sourceId: `dc_${number % 7}x`, number });
  }
  expect(waiting.heapLength).toBeLessThan(10_000);
});

test('a new entry with the number of a removed one is due at its own time', () => {
  const waiting = new WaitingEmits(limits);
  const [first, second] = [entry('dc_a', 0, 10), { ...entry('dc_a', 0, 20), offset: 7 }];
  waiting.add(first);
  waiting.remove(first);
  waiting.add(second);
  expect([waiting.isCurrent(first), waiting.isCurrent(second)]).toEqual([false, true]);
  expect(waiting.takeDue(10, 64)).toEqual([]);
  expect([waiting.firstDue, waiting.has('dc_a'), waiting.capacityFor(source('dc_a')).next]).toEqual([20, true, 1]);
  expect(waiting.takeDue(20, 64)).toEqual([second]);
});
