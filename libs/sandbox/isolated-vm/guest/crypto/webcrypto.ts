// The Web Crypto API, as far as components use it: random values, digests, and HMAC keys.
import { bare, viewOf } from './bytes.ts';
import { timingSafeEqual } from './equal.ts';
import { createHash, createHmac } from './hash.ts';
import { randomFillSync, randomUUID } from './random.ts';

type Algorithm = string | { name?: unknown; hash?: unknown };

const unsupported = (what: string): unknown =>
  new DOMException(`${what} is not supported in components`, 'NotSupportedError');

const nameOf = (algorithm: unknown): string =>
  String(typeof algorithm === 'object' && algorithm !== null ? (algorithm as { name?: unknown }).name : algorithm);

function digestName(algorithm: unknown): string {
  const name = nameOf(algorithm).toUpperCase();
  if (!/^SHA-(1|256|384|512)$/.test(name)) throw unsupported(name);
  return name.replace('-', '').toLowerCase();
}

class CryptoKey {
  readonly type = 'secret';
  readonly algorithm: object;
  readonly extractable: boolean;
  readonly usages: readonly string[];
  readonly #secret: { readonly digest: string; readonly bytes: Uint8Array };

  constructor(secret: { digest: string; bytes: Uint8Array }, extractable: boolean, usages: readonly string[]) {
    this.algorithm = { name: 'HMAC', hash: { name: secret.digest } };
    this.extractable = extractable;
    this.usages = usages;
    this.#secret = secret;
  }
  static sign(key: CryptoKey, data: unknown): Uint8Array {
    return createHmac(key.#secret.digest, key.#secret.bytes).update(viewOf(data)).digest() as Uint8Array;
  }
}

const subtle = {
  async digest(algorithm: Algorithm, data: unknown): Promise<ArrayBuffer> {
    return bare(createHash(digestName(algorithm)).update(viewOf(data)).digest() as Uint8Array);
  },
  async importKey(...[format, data, algorithm, extractable, usages]: unknown[]): Promise<CryptoKey> {
    if (format !== 'raw' || nameOf(algorithm).toUpperCase() !== 'HMAC')
      throw unsupported(`importKey of ${nameOf(algorithm)}`);
    const digest = digestName((algorithm as { hash?: unknown }).hash);
    return new CryptoKey({ digest, bytes: new Uint8Array(viewOf(data)) }, Boolean(extractable), [
      ...(usages as string[]),
    ]);
  },
  async sign(_algorithm: Algorithm, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
    return bare(CryptoKey.sign(key, data));
  },
  async verify(_algorithm: Algorithm, key: CryptoKey, signature: unknown, data: unknown): Promise<boolean> {
    const expected = CryptoKey.sign(key, data);
    const given = viewOf(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  },
};

export const webcrypto = {
  subtle,
  getRandomValues: <T extends ArrayBufferView>(target: T): T => randomFillSync(target),
  randomUUID,
};
