// Packed bundles are kept in memory up to their own limit, however many bundles are kept elsewhere.
import { randomBytes } from 'node:crypto';
import { BundlePacker, unpack } from './bundle-packer.ts';

const bundle = () => ({ js: randomBytes(3_000).toString('base64'), map: '{}' });

test('keeps packed bundles up to the limit in bytes and drops the oldest first', async () => {
  const packer = new BundlePacker(10_000);
  const bundles = Array.from({ length: 5 }, bundle);
  const first = bundles.map((one) => packer.pack(one));
  await Promise.all(first);
  // Each takes some 4,000 characters, so two stay.
  const isKept = (at: number): boolean => packer.pack(bundles[at] ?? bundle()) === first[at];
  expect([4, 3, 2, 1, 0].map(isKept)).toEqual([true, true, false, false, false]);
});

test('packs the same content once, and unpacks it unchanged', async () => {
  const packer = new BundlePacker();
  const one = bundle();
  const packing = packer.pack(one);
  expect(packer.pack({ ...one })).toBe(packing);
  const packed = await packing;
  if (typeof packed === 'string') throw new Error(packed);
  expect(await unpack(packed.texts, packed.hash)).toEqual(one);
});
