// The Web Crypto API, as far as components use it.
import { randomFillSync, randomUUID } from './random.ts';
import { CryptoKey, subtle } from './subtle/subtle.ts';

/** The standard's limit for one call. */
const randomBytesMax = 65_536;

function getRandomValues<T extends ArrayBufferView>(target: T): T {
  if (!ArrayBuffer.isView(target) || /^(?:Float|DataView)/.test(target.constructor.name))
    throw new DOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
  if (target.byteLength > randomBytesMax)
    throw new DOMException(`The requested length exceeds 65,536 bytes`, 'QuotaExceededError');
  return randomFillSync(target);
}

export const webcrypto = {
  subtle,
  CryptoKey,
  getRandomValues,
  randomUUID,
};
