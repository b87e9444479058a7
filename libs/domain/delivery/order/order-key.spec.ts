// Order keys: which events wait for each other.
import fc from 'fast-check';
import { orderKeyOf, pointerCharsMax, pointerProblem, valueAt } from './order-key.ts';

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
  const keyOf = (value: unknown): string => orderKeyOf({ id: value }, '/id');
  expect(keyOf(1)).toBe(keyOf(1));
  expect(keyOf({ a: [1] })).toBe(keyOf({ a: [1] }));
  const others = [1, '1', true, null, { a: 1 }, [1], ''].map(keyOf);
  expect(new Set(others).size).toBe(others.length);
  expect(orderKeyOf({}, '/id')).toBe(keyOf(null));
  expect(orderKeyOf('text', '/id')).toBe(keyOf(null));
  expect(orderKeyOf({ id: 1, no: 1 }, '/no')).not.toBe(keyOf(1));
});
