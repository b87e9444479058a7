import { Shares } from './shares.ts';

test('one owner cannot take all places, and a released place can be taken again', () => {
  const shares = new Shares({ all: 3, each: 2 });
  expect(['a', 'a', 'a', 'b', 'c'].map((owner) => shares.take(owner))).toEqual([true, true, false, true, false]);
  shares.leave('a');
  expect(['a', 'c'].map((owner) => shares.take(owner))).toEqual([true, false]);
});
