// Sharing of slots: workspaces take turns, none gets all, and the number of slots can change.
import { Slots } from './slots.ts';

test('gives out no more slots than the maximum, in the order in which they were requested', () => {
  const slots = new Slots(2);
  const granted: number[] = [];
  for (let n = 0; n < 5; n++) slots.acquire('w', () => granted.push(n));
  expect(granted).toEqual([0, 1]);
  slots.release('w');
  expect(granted).toEqual([0, 1, 2]);
  for (let n = 0; n < 4; n++) slots.release('w');
  slots.acquire('w', () => granted.push(5));
  expect(granted).toEqual([0, 1, 2, 3, 4, 5]);
});

test('workspaces take turns, and one that asks for every slot leaves some to the others', () => {
  const slots = new Slots(16);
  const granted: string[] = [];
  const ask = (workspace: string, times: number): string[] => {
    granted.length = 0;
    for (let n = 0; n < times; n++) slots.acquire(workspace, () => granted.push(workspace));
    return granted;
  };
  expect(ask('greedy', 10_000)).toHaveLength(12);
  expect(ask('second', 100)).toHaveLength(3);
  expect(ask('third', 100)).toHaveLength(1);
  expect(ask('modest', 2)).toEqual([]);
  for (const workspace of ['greedy', 'second', 'third', 'greedy', 'second', 'third']) slots.release(workspace);
  expect(granted).toEqual(['third', 'second', 'modest', 'third', 'second', 'modest']);
});

test('serves waiting requests when the number of slots grows', () => {
  let room = 1;
  const granted: number[] = [];
  const slots = new Slots(() => room - granted.length);
  for (let n = 0; n < 3; n++) slots.acquire('w', () => granted.push(n));
  expect([granted, slots.hasWaiters]).toEqual([[0], true]);
  room = 2;
  slots.advance();
  expect(granted).toEqual([0, 1]);
  room = 3;
  slots.advance();
  expect([granted, slots.hasWaiters]).toEqual([[0, 1, 2], false]);
});

test('ten thousand that release their slot as soon as they have it leave it to the next', () => {
  const slots = new Slots(1);
  let granted = 0;
  slots.acquire('w', () => {});
  const begin = (): void => {
    granted++;
    slots.release('w');
  };
  for (let n = 0; n < 10_000; n++) slots.acquire('w', begin);
  slots.release('w');
  expect([granted, slots.hasWaiters]).toEqual([10_000, false]);
});
