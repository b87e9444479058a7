// The web's CryptoKey: its usages are public, its material is only for the code that implements crypto.subtle.
import { isKeyAgreement, domException } from './algorithms.ts';
import type { AlgorithmName } from './algorithms.ts';

export type KeyType = 'secret' | 'public' | 'private';
export type Usage = 'encrypt' | 'decrypt' | 'sign' | 'verify' | 'deriveKey' | 'deriveBits' | 'wrapKey' | 'unwrapKey';

/** The bytes of a secret key, or the PEM text of another. */
export type Material = { readonly bytes: Buffer } | { readonly pem: string };

export interface KeyTraits {
  readonly type: KeyType;
  readonly algorithm: Readonly<Record<string, unknown>> & { readonly name: AlgorithmName };
  readonly extractable: boolean;
  readonly usages: readonly Usage[];
}

const usageOrder: readonly Usage[] = [
  'encrypt',
  'decrypt',
  'sign',
  'verify',
  'deriveKey',
  'deriveBits',
  'wrapKey',
  'unwrapKey',
];

export function allowedUsages(name: AlgorithmName, type: KeyType): readonly Usage[] {
  if (name === 'AES-KW') return ['wrapKey', 'unwrapKey'];
  if (isKeyAgreement(name)) return type === 'private' ? ['deriveKey', 'deriveBits'] : [];
  if (name.startsWith('AES-')) return ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];
  if (name === 'PBKDF2' || name === 'HKDF') return ['deriveKey', 'deriveBits'];
  if (name === 'HMAC') return ['sign', 'verify'];
  if (name === 'RSA-OAEP') return type === 'private' ? ['decrypt', 'unwrapKey'] : ['encrypt', 'wrapKey'];
  return type === 'private' ? ['sign'] : ['verify'];
}

export class CryptoKey {
  readonly #traits: KeyTraits;
  readonly #material: Material;

  constructor(traits: KeyTraits, material: Material) {
    const { type, algorithm, usages } = traits;
    const allowed = allowedUsages(algorithm.name, type);
    if (usages.some((usage) => !allowed.includes(usage)))
      throw domException('SyntaxError', `Unsupported key usage for a ${algorithm.name} key`);
    if (usages.length === 0 && type !== 'public')
      throw domException('SyntaxError', 'Usages cannot be empty when importing a private or secret key.');
    this.#traits = { ...traits, usages: usageOrder.filter((usage) => usages.includes(usage)) };
    this.#material = material;
  }

  get type(): KeyType {
    return this.#traits.type;
  }
  get algorithm(): KeyTraits['algorithm'] {
    return this.#traits.algorithm;
  }
  get extractable(): boolean {
    return this.#traits.extractable;
  }
  get usages(): readonly Usage[] {
    return this.#traits.usages;
  }
  get [Symbol.toStringTag](): string {
    return 'CryptoKey';
  }

  /** The material of `key`; throws if it is not a CryptoKey. */
  static materialOf(key: unknown): Material {
    if (typeof key !== 'object' || key === null || !(#material in key)) throw new TypeError('It is no CryptoKey');
    return key.#material;
  }

  static bytesOf(key: unknown): Buffer {
    const material = CryptoKey.materialOf(key);
    if ('bytes' in material) return material.bytes;
    throw domException('InvalidAccessError', 'The key is not a secret one');
  }

  static pemOf(key: unknown): string {
    const material = CryptoKey.materialOf(key);
    if ('pem' in material) return material.pem;
    throw domException('InvalidAccessError', 'The key is a secret one');
  }

  /** Throws unless `key` is a CryptoKey of this algorithm and for this usage. */
  static check(key: unknown, name: AlgorithmName, usage: Usage): asserts key is CryptoKey {
    CryptoKey.materialOf(key);
    const { algorithm, usages } = key as CryptoKey;
    if (algorithm.name !== name) throw domException('InvalidAccessError', 'Key algorithm mismatch');
    if (!usages.includes(usage)) throw domException('InvalidAccessError', `Key does not support usage ${usage}`);
  }
}
