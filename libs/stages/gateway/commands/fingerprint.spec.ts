import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { fingerprintOf } from './fingerprint.ts';

/** The value as a parsed body contains it: without what JSON cannot express, such as -0. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const key = Buffer.alloc(32, 1);

test('the order of fields does not matter, at any depth', () => {
  const a = { x: 1, y: { b: [1, { p: 1, q: 2 }], c: null } };
  const b = { y: { c: null, b: [1, { q: 2, p: 1 }] }, x: 1, z: undefined };
  expect(fingerprintOf(key, 'wh', a)).toBe(fingerprintOf(key, 'wh', b));
});

test('any other request, resource or data key gives another fingerprint', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      fc.pre(!isDeepStrictEqual(asJson(a), asJson(b)));
      expect(fingerprintOf(key, 'wh', a)).not.toBe(fingerprintOf(key, 'wh', b));
    }),
  );
  expect(fingerprintOf(key, 'wh', { a: [] })).not.toBe(fingerprintOf(key, 'wh', { a: {} }));
  expect(fingerprintOf(key, 'wh', {})).not.toBe(fingerprintOf(key, 'dc', {}));
  expect(fingerprintOf(key, 'wh', {})).not.toBe(fingerprintOf(Buffer.alloc(32, 2), 'wh', {}));
});
