import fc from 'fast-check';
import type { Json } from '../../../domain/json.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import { sizes } from '../../../domain/sizes.ts';
import { SourceDb, writesBytes } from './source-db.ts';
import type { DbWrite } from './source-db.ts';

let seals = 0;
const sealer = {
  open: (sealed: Sealed): Json => JSON.parse(sealed.$sealed) as Json,
  seal: (jsonText: string): Sealed => {
    seals++;
    return { $sealed: jsonText };
  },
};
const opened = (sealed: Sealed | null): Json => (sealed === null ? {} : sealer.open(sealed));

const write = fc.tuple(fc.constantFrom('a', 'b', '"ü', '__proto__', '7'), fc.option(fc.json(), { nil: null }));

test('after sealing and opening, the db is the map that the writes made', () => {
  fc.assert(
    fc.property(fc.array(write), fc.array(write), (first, second) => {
      const one = new SourceDb(null, sealer);
      expect(one.apply(first)).toEqual([]);
      const two = new SourceDb(one.seal(), sealer);
      const looked = two.with(second);
      expect(two.apply(second)).toEqual([]);
      const expected = new Map<string, Json>();
      for (const [key, text] of [...first, ...second]) {
        if (text === null) expected.delete(key);
        else expected.set(key, JSON.parse(text) as Json);
      }
      const plain = Object.fromEntries(expected);
      expect(opened(two.seal())).toEqual(plain);
      expect(Object.fromEntries(Object.entries(looked).map(([key, text]) => [key, JSON.parse(text) as Json]))).toEqual(
        plain,
      );
    }),
  );
});

test('the db is sealed again only after a change', () => {
  const db = new SourceDb(null, sealer);
  db.apply([['a', '1']]);
  const sealed = db.seal();
  const before = seals;
  db.apply([
    ['a', '1'],
    ['missing', null],
  ]);
  expect(db.seal()).toBe(sealed);
  expect(seals).toBe(before);
  db.apply([['a', null]]);
  expect(db.seal()).toBeNull();
});

test('leaves out and names a write that would not fit into the record, and still accepts writes that fit and removals', () => {
  const db = new SourceDb(null, sealer);
  const value = JSON.stringify('x'.repeat(sizes.dbValueBytes - 2));
  const writes = Array.from({ length: 8 }, (_, index): DbWrite => [`k${index}`, value]);
  expect(db.apply(writes)).toEqual(['k5', 'k6', 'k7']);
  expect(
    db.apply([
      ['k0', null],
      ['k7', value],
    ]),
  ).toEqual([]);
  expect(db.seal()?.$sealed.length).toBeLessThanOrEqual(sizes.dbBytes);
});

test('never underestimates the size of the db', () => {
  fc.assert(
    fc.property(fc.array(write), fc.array(write), (first, second) => {
      const db = new SourceDb(null, sealer);
      db.apply(first);
      const bound = db.sealedBytes + writesBytes(second);
      db.apply(second);
      const base64Bytes = Math.ceil((Buffer.byteLength(db.seal()?.$sealed ?? '') * 4) / 3);
      expect(base64Bytes).toBeLessThanOrEqual(bound + 1);
    }),
  );
});
