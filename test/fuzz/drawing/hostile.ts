// Draws unexpected values: deep, huge, of the wrong type, with names that JavaScript itself uses.
import fc from 'fast-check';

const depthMax = 100_000;
const lengthMax = 100_000;

const names = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'then', 'length', '', 'id', '\u0000', '\ud800'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

const numbers = fc.oneof(
  fc.constantFrom(0, -0, -1, 1e308, -1e308, 2 ** 31, 2 ** 53, 0.1, 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

export const hostileTexts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '\u0000', '\ud800', '../../etc/passwd', '%00', 'NaN', '-1', '1e999', '__proto__', '\r\n', 'null'),
  fc.nat(lengthMax).map((length) => 'x'.repeat(length)),
);

const scalars = fc.oneof(fc.constant(null), fc.boolean(), numbers, hostileTexts);

/** JSON values; deeper ones are made as text, by `deepJson`. */
export const hostileValues: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(names, tie('value'), { maxKeys: 6, noNullPrototype: true }),
    fc.tuple(fc.nat(2_000), scalars).map(([depth, inner]) => nest(depth, inner)),
  ),
})).value;

function nest(depth: number, inner: unknown): unknown {
  let value = inner;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Too deep for many parsers. */
export const deepJson = fc
  .tuple(fc.nat(depthMax), fc.constantFrom<readonly [string, string]>(['[', ']'], ['{"a":', '}']))
  .map(([depth, [open, close]]) => `${open.repeat(depth)}1${close.repeat(depth)}`);
