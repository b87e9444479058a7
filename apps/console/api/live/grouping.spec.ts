import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { startGroups } from './grouping.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const begin = () => {
  const groups: (readonly string[])[] = [];
  return { groups, ...startGroups((texts) => groups.push(texts)) };
};

test('a single record is handed over at once, and those that follow it together', () => {
  const { groups, add } = begin();
  add('a');
  expect(groups).toEqual([['a']]);
  add('b');
  add('c');
  jest.advanceTimersByTime(249);
  expect(groups).toHaveLength(1);
  jest.advanceTimersByTime(1);
  expect(groups).toEqual([['a'], ['b', 'c']]);
  jest.advanceTimersByTime(250);
  add('d');
  expect(groups.at(-1)).toEqual(['d']);
});

test('a group that waits for a timer grows to 500 records at most', () => {
  const { groups, add } = begin();
  for (let n = 0; n <= 1_000; n++) add(String(n));
  expect(groups.map(({ length }) => length)).toEqual([1, 500, 500]);
});

test('nothing is handed over after the end', () => {
  const { groups, add, end } = begin();
  add('a');
  add('b');
  end();
  jest.runAllTimers();
  expect(groups).toEqual([['a']]);
});
