import { Multimap } from './multimap.ts';

test('a key holds each added value once, in order, until it is deleted', () => {
  const map = new Multimap<string>();
  for (const value of ['b', 'a', 'b', 'c', 'a']) map.add('key', value);
  expect([...map.get('key')]).toEqual(['b', 'a', 'c']);
  map.delete('key', 'a');
  map.delete('key', 'never added');
  expect([...map.get('key')]).toEqual(['b', 'c']);
  expect(map.has('key')).toBe(true);
});

test.each([1, 3])('deleting the last of %i values removes the key', (count) => {
  const map = new Multimap<object>();
  const values = Array.from({ length: count }, () => ({}));
  for (const value of values) map.add('key', value);
  for (const value of map.get('key')) map.delete('key', value);
  expect([map.has('key'), [...map.get('key')], [...map.keys()]]).toEqual([false, [], []]);
  map.delete('key', values);
});
