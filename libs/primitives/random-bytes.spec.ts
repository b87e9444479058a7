import { pagedRandomBytes } from './random-bytes.ts';

test('each call gives the requested number of bytes, and none that were given before', () => {
  const texts = Array.from({ length: 2_000 }, (_, i) => pagedRandomBytes(12 + (i % 8)).toString('hex'));
  for (const [i, text] of texts.entries()) expect(text).toHaveLength(2 * (12 + (i % 8)));
  expect(new Set(texts.map((text) => text.slice(0, 24))).size).toBe(texts.length);
});

test('bytes that were given do not change', () => {
  const first = pagedRandomBytes(16);
  const text = first.toString('hex');
  for (let i = 0; i < 1_000; i++) pagedRandomBytes(16).fill(1);
  expect(first.toString('hex')).toBe(text);
});
