// Order keys: which events wait for each other.
import fc from 'fast-check';
import { orderKeyOf, pointerCharsMax, pointerProblem, sortedCharsMax, valueAt } from './order-key.ts';

const event = { customer: { id: 7, 'a/b': 1, 'm~n': 2 }, list: [{ id: 'x' }], none: null };

test.each([
  ['/customer/id', 7],
  ['/customer/a~1b', 1],
  ['/customer/m~0n', 2],
  ['/list/0/id', 'x'],
  ['/list/00/id', undefined],
  ['/list/-', undefined],
  ['/list/length', undefined],
  ['/customer/toString', undefined],
  ['/customer/id/more', undefined],
  ['/none/id', undefined],
])('the pointer %s finds %j', (pointer, value) => {
  expect(valueAt(event, pointer)).toEqual(value);
});

test.each([
  ['customer', 'begins with'],
  ['', 'begins with'],
  ['/a~2', '~0'],
  ['/a~', '~0'],
  [`/${'a'.repeat(pointerCharsMax)}`, 'at most'],
])('%s is not an order key', (pointer, problem) => {
  expect(pointerProblem(pointer)).toContain(problem);
});

test('a pointer can name any field', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), (name, value) => {
      const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const given = JSON.parse(JSON.stringify({ [name]: value })) as object;
      // `__proto__` in a literal is not an own property.
      fc.pre(Object.hasOwn(given, name));
      if (pointer.length <= pointerCharsMax) expect(pointerProblem(pointer)).toBeUndefined();
      expect(JSON.stringify(valueAt(given, pointer))).toBe(JSON.stringify(value));
    }),
  );
});

test('events with equal values share a key, and so do events without a value', () => {
  const keyOf = (value: unknown): string => orderKeyOf({ id: value }, '/id').key;
  expect(keyOf(1)).toBe(keyOf(1));
  expect(keyOf({ a: [1] })).toBe(keyOf({ a: [1] }));
  const others = [1, '1', true, null, { a: 1 }, [1], '', [1, 2], [2, 1], { a: 2 }, { b: 1 }].map(keyOf);
  expect(new Set(others).size).toBe(others.length);
  expect(orderKeyOf({}, '/id').key).toBe(keyOf(null));
  expect(orderKeyOf('text', '/id').key).toBe(keyOf(null));
  expect(orderKeyOf({ id: 1, no: 1 }, '/no').key).not.toBe(keyOf(1));
});

describe('objects are one key', () => {
  const keyOf = (json: string) => orderKeyOf({ id: JSON.parse(json) as unknown }, '/id');

  test.each([
    ['{"x":1,"y":2}', '{"y":2,"x":1}'],
    ['[{"x":{"a":[],"b":null}}]', '[{"x":{"b":null,"a":[]}}]'],
    ['{"10":1,"9":2,"a":3}', '{"a":3,"9":2,"10":1}'],
    ['{"__proto__":1,"a":2}', '{"a":2,"__proto__":1}'],
  ])('whatever the order of their members: %s and %s', (one, other) => {
    expect(keyOf(one).key).toBe(keyOf(other).key);
  });

  test('with the hash that was on the log before where their members were sorted', () => {
    // Made by the program before: sha256 of the pointer, a line feed and the JSON, in base64url.
    expect(keyOf('{"x":1,"y":2}')).toEqual({ key: '5XbwPiJta9A1' });
    expect(keyOf('{"y":2,"x":1}')).toEqual({ key: '5XbwPiJta9A1', former: 'aoDGhIUVB3i3' });
  });

  test('beyond a size only with their members in the same order', () => {
    const long = 'a'.repeat(sortedCharsMax);
    const [one, other] = [`{"x":1,"y":"${long}"}`, `{"y":"${long}","x":1}`];
    expect(keyOf(one)).toEqual(keyOf(one));
    expect(keyOf(one).key).not.toBe(keyOf(other).key);
    expect(keyOf(other)).not.toHaveProperty('former');
  });
});
