// timingSafeEqual: always compares every byte. Throws on texts, as in Node.
import { sourceOf } from './bytes.ts';

export function timingSafeEqual(a: unknown, b: unknown): boolean {
  const [left, right] = [sourceOf(a, 'buf1'), sourceOf(b, 'buf2')];
  if (left.length !== right.length) {
    throw Object.assign(new RangeError('Input buffers must have the same byte length'), {
      code: 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH',
    });
  }
  let difference = 0;
  for (let at = 0; at < left.length; at++) difference |= (left[at] ?? 0) ^ (right[at] ?? 0);
  return difference === 0;
}
