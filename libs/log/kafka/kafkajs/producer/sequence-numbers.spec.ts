import { SequenceNumbers } from './sequence-numbers.ts';

test('each partition has its own sequence, from 0', () => {
  const sequences = new SequenceNumbers();
  expect([sequences.reserve('a', 0, 3), sequences.reserve('a', 0, 1), sequences.reserve('a', 1, 2)]).toEqual([0, 3, 0]);
  expect([sequences.reserve('a', 0, 1), sequences.reserve('b', 0, 1)]).toEqual([4, 0]);
});

test('the sequence wraps to 0 after the highest number of 31 bits, also within a batch', () => {
  const sequences = new SequenceNumbers();
  sequences.reserve('a', 0, 2 ** 31 - 2);
  expect([sequences.reserve('a', 0, 5), sequences.reserve('a', 0, 1)]).toEqual([2 ** 31 - 2, 3]);
});
