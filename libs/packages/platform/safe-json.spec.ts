import { cloneSafe, jsonStringifySafe } from './safe-json.ts';

test('valid JSON values are written as by JSON.stringify', () => {
  const value = { a: [1, undefined, () => {}], b: new Date(0), c: undefined, d: null, e: { toJSON: () => 'f' } };
  expect(jsonStringifySafe(value)).toBe(JSON.stringify(value));
  expect(jsonStringifySafe({ a: 1 }, 2)).toBe('{\n  "a": 1\n}');
  expect(jsonStringifySafe(undefined)).toBeUndefined();
});

test('loops, big integers and getters that throw do not make it fail', () => {
  const value: Record<string, unknown> = {
    big: 12n,
    get broken(): never {
      throw new Error('no');
    },
  };
  value['self'] = value;
  const shared = { a: 1 };
  expect(cloneSafe({ value, twice: [shared, shared] })).toEqual({
    value: { big: '12', self: '[Circular]' },
    twice: [{ a: 1 }, { a: 1 }],
  });
});

test('a copy shares no objects, and keeps a field called __proto__', () => {
  const value = JSON.parse('{"__proto__":{"a":1},"list":[{}]}') as { list: object[] };
  const copy = cloneSafe(value) as typeof value;
  expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
  expect(copy.list[0]).not.toBe(value.list[0]);
});
