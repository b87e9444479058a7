// The Web Crypto API, as far as components use it.
import { randomFillSync, randomUUID } from './random.ts';
import { CryptoKey, subtle } from './subtle/subtle.ts';

export const webcrypto = {
  subtle,
  CryptoKey,
  getRandomValues: <T extends ArrayBufferView>(target: T): T => randomFillSync(target),
  randomUUID,
};
