import { SharedSlots } from './shared-slots.ts';

test('one owner cannot take all places, and a released place can be taken again', () => {
  const shares = new SharedSlots({ all: 3, each: 2 });
  expect(['a', 'a', 'a', 'b', 'c'].map((owner) => shares.tryAcquire(owner))).toEqual([true, true, false, true, false]);
  shares.release('a');
  expect(['a', 'c'].map((owner) => shares.tryAcquire(owner))).toEqual([true, false]);
});
