// Packed forms are kept up to a bound of their own, however many bundles they belong to are kept elsewhere.
import { randomBytes } from 'node:crypto';
import { Packer, unpack } from './packed.ts';

const bundle = () => ({ js: randomBytes(3_000).toString('base64'), map: '{}' });

test('the packed forms that are kept add up to the bound, and those packed last stay', async () => {
  const packer = new Packer(10_000);
  const bundles = Array.from({ length: 5 }, bundle);
  const first = bundles.map((one) => packer.pack(one));
  await Promise.all(first);
  // Each takes some 4,000 characters, so two stay.
  const isKept = (at: number): boolean => packer.pack(bundles[at] ?? bundle()) === first[at];
  expect([4, 3, 2, 1, 0].map(isKept)).toEqual([true, true, false, false, false]);
});

test('the same content is packed once, and unpacks to what it was', async () => {
  const packer = new Packer();
  const one = bundle();
  const packing = packer.pack(one);
  expect(packer.pack({ ...one })).toBe(packing);
  const packed = await packing;
  if (typeof packed === 'string') throw new Error(packed);
  expect(await unpack(packed.texts, packed.hash)).toEqual(one);
});
