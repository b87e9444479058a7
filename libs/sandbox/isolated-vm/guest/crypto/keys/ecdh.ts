// createECDH and diffieHellman: two sides agree on a secret. The host computes each step and keeps no keys.
import { ask } from '../../core/bridge.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { askBytes, toArrayBuffer, encode, viewOf } from '../bytes.ts';
import { KeyObject, keyText } from './key-object.ts';

type Format = 'compressed' | 'uncompressed' | 'hybrid';
type Encoding = BufferEncoding | 'buffer';
type Conversion = [key: unknown, curve: unknown, from?: Encoding, to?: Encoding, format?: Format];

const bytesOf = (key: unknown, encoding: Encoding | undefined, name: string): ArrayBuffer =>
  toArrayBuffer(viewOf(key, encoding === 'buffer' ? undefined : encoding, name));

const errorWithCode = (message: string, code: string): Error => Object.assign(new Error(message), { code });

function convertPoint(curve: string, bytes: ArrayBuffer, format: unknown = 'uncompressed'): Buffer {
  if (!['compressed', 'uncompressed', 'hybrid'].includes(String(format)))
    throw Object.assign(new TypeError(`Invalid ECDH format: ${String(format)}`), {
      code: 'ERR_CRYPTO_ECDH_INVALID_FORMAT',
    });
  return askBytes('ecdhConvert', curve, bytes, String(format));
}

export class ECDH {
  readonly #curve: string;
  #private: ArrayBuffer | undefined;
  #public: ArrayBuffer | undefined;

  constructor(curve: unknown) {
    this.#curve = String(curve);
    ask('ecdhCheck', this.#curve);
  }

  generateKeys(encoding?: Encoding, format?: Format): Buffer | string {
    [this.#private, this.#public] = ask('ecdhKeys', this.#curve) as [ArrayBuffer, ArrayBuffer];
    return this.getPublicKey(encoding, format);
  }

  computeSecret(other: unknown, from?: Encoding, to?: Encoding): Buffer | string {
    if (this.#private === undefined)
      throw errorWithCode('Failed to get ECDH private key', 'ERR_CRYPTO_OPERATION_FAILED');
    const otherBytes = bytesOf(other, from, 'otherPublicKey');
    return encode(askBytes('ecdhSecret', this.#curve, this.#private, otherBytes), to);
  }

  getPrivateKey(encoding?: Encoding): Buffer | string {
    if (this.#private === undefined)
      throw errorWithCode('Failed to get ECDH private key', 'ERR_CRYPTO_OPERATION_FAILED');
    return encode(Buffer.from(this.#private.slice(0)), encoding);
  }

  getPublicKey(encoding?: Encoding, format?: Format): Buffer | string {
    if (this.#public === undefined) throw errorWithCode('Failed to get ECDH public key', 'ERR_CRYPTO_OPERATION_FAILED');
    return encode(convertPoint(this.#curve, this.#public, format), encoding);
  }

  setPrivateKey(key: unknown, encoding?: Encoding): this {
    const bytes = bytesOf(key, encoding, 'privateKey');
    this.#public = ask('ecdhPublic', this.#curve, bytes) as ArrayBuffer;
    this.#private = bytes;
    return this;
  }

  setPublicKey(key: unknown, encoding?: Encoding): this {
    this.#public = toArrayBuffer(convertPoint(this.#curve, bytesOf(key, encoding, 'publicKey')));
    return this;
  }

  static convertKey(...[key, curve, from, to, format]: Conversion): Buffer | string {
    return encode(convertPoint(String(curve), bytesOf(key, from, 'key'), format), to);
  }
}

export const createECDH = (curve: unknown): ECDH => new ECDH(curve);

interface DiffieHellmanKeys {
  readonly privateKey: unknown;
  readonly publicKey: unknown;
}

type Callback = (error: unknown, secret?: Buffer) => void;

export function diffieHellman({ privateKey, publicKey }: DiffieHellmanKeys, callback?: Callback): Buffer | undefined {
  for (const key of [privateKey, publicKey])
    if (!(key instanceof KeyObject)) throw new TypeError('The keys must be instances of KeyObject');
  const agree = (): Buffer => askBytes('agreed', keyText(privateKey), keyText(publicKey));
  if (callback === undefined) return agree();
  void Promise.resolve()
    .then(agree)
    .then(
      (secret) => callback(null, secret),
      (error: unknown) => callback(error),
    );
  return undefined;
}

export const getCurves = (): string[] => JSON.parse(String(ask('curves'))) as string[];
