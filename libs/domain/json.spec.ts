import fc from 'fast-check';
import { isNestedTooDeep, isTextNestedTooDeep, jsonDepthMax } from './json.ts';
import type { Json } from './json.ts';

/** Wraps the value in this many lists and objects. */
function wrapped(inner: Json, levels: number): Json {
  let value = inner;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { '"[': value };
  return value;
}

test('the depth of a text is that of its value, whatever its strings hold', () => {
  const drawn = fc.tuple(
    fc.jsonValue({ stringUnit: fc.constantFrom('"', '\\', '[', ']', '{', '}', 'x') }),
    fc.nat(300),
  );
  const law = fc.property(drawn, fc.constantFrom(undefined, 1), ([inner, levels], indent) => {
    const value = wrapped(inner as Json, levels);
    return isTextNestedTooDeep(JSON.stringify(value, undefined, indent)) === isNestedTooDeep(value);
  });
  fc.assert(law);
});

test('the deepest allowed nesting is accepted, one level more is not', () => {
  const text = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  expect([jsonDepthMax, jsonDepthMax + 1, 250_000].map((levels) => isTextNestedTooDeep(text(levels)))).toEqual([
    false,
    true,
    true,
  ]);
});
