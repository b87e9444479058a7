// Sharing of slots: workspaces take turns, none gets all, and the number of slots can change.
import { Slots } from './slots.ts';

test('gives out no more slots than the maximum, in the order in which they were requested', () => {
  const slots = new Slots(2);
  const begun: number[] = [];
  for (let n = 0; n < 5; n++) slots.take('w', () => begun.push(n));
  expect(begun).toEqual([0, 1]);
  slots.release('w');
  expect(begun).toEqual([0, 1, 2]);
  for (let n = 0; n < 4; n++) slots.release('w');
  slots.take('w', () => begun.push(5));
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
});

test('workspaces take turns, and one that asks for every slot leaves some to the others', () => {
  const slots = new Slots(16);
  const begun: string[] = [];
  const ask = (workspace: string, times: number): string[] => {
    begun.length = 0;
    for (let n = 0; n < times; n++) slots.take(workspace, () => begun.push(workspace));
    return begun;
  };
  expect(ask('greedy', 10_000)).toHaveLength(12);
  expect(ask('second', 100)).toHaveLength(3);
  expect(ask('third', 100)).toHaveLength(1);
  expect(ask('modest', 2)).toEqual([]);
  for (const workspace of ['greedy', 'second', 'third', 'greedy', 'second', 'third']) slots.release(workspace);
  expect(begun).toEqual(['third', 'second', 'modest', 'third', 'second', 'modest']);
});

test('serves waiting requests when the number of slots grows', () => {
  let room = 1;
  const begun: number[] = [];
  const slots = new Slots(() => room - begun.length);
  for (let n = 0; n < 3; n++) slots.take('w', () => begun.push(n));
  expect([begun, slots.isWaitedFor]).toEqual([[0], true]);
  room = 2;
  slots.advance();
  expect(begun).toEqual([0, 1]);
  room = 3;
  slots.advance();
  expect([begun, slots.isWaitedFor]).toEqual([[0, 1, 2], false]);
});

test('ten thousand that release their slot as soon as they have it leave it to the next', () => {
  const slots = new Slots(1);
  let begun = 0;
  slots.take('w', () => {});
  const begin = (): void => {
    begun++;
    slots.release('w');
  };
  for (let n = 0; n < 10_000; n++) slots.take('w', begin);
  slots.release('w');
  expect([begun, slots.isWaitedFor]).toEqual([10_000, false]);
});
