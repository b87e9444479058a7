import { Sequences } from './sequences.ts';

test('each partition has its own sequence, from 0', () => {
  const sequences = new Sequences();
  expect([sequences.take('a', 0, 3), sequences.take('a', 0, 1), sequences.take('a', 1, 2)]).toEqual([0, 3, 0]);
  expect([sequences.take('a', 0, 1), sequences.take('b', 0, 1)]).toEqual([4, 0]);
});

test('the sequence wraps to 0 after the highest number of 31 bits, also within a batch', () => {
  const sequences = new Sequences();
  sequences.take('a', 0, 2 ** 31 - 2);
  expect([sequences.take('a', 0, 5), sequences.take('a', 0, 1)]).toEqual([2 ** 31 - 2, 3]);
});
