// KeyObject, and the keys that the sign and cipher functions accept.
import { ask } from '../../core/bridge.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { viewOf } from '../bytes.ts';

type KeyType = 'secret' | 'private' | 'public';

/** What the host reports of an asymmetric key. */
export interface KeyDescription {
  readonly pem: string;
  readonly asymmetricKeyType: string;
  readonly publicExponent?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

const encryptionUnavailable = (): Error =>
  Object.assign(new Error('Components cannot encrypt the keys that they export'), { code: 'ERR_NOT_AVAILABLE' });

const exportTypes: Readonly<Record<string, readonly unknown[]>> = {
  private: ['pkcs8', 'pkcs1', 'sec1'],
  public: ['spki', 'pkcs1'],
};

interface ExportOptions {
  readonly format?: string;
  readonly type?: string;
  readonly cipher?: string;
}

export class KeyObject {
  readonly type: KeyType;
  /** A secret key's bytes; empty for the others. */
  readonly bytes: Buffer;
  /** An asymmetric key's PEM text. */
  readonly pem: string;
  readonly asymmetricKeyType: string | undefined;
  readonly #details: Readonly<Record<string, unknown>> | undefined;

  constructor(type: KeyType, bytes: Buffer, description?: KeyDescription) {
    this.type = type;
    this.bytes = bytes;
    this.pem = description?.pem ?? '';
    this.asymmetricKeyType = description?.asymmetricKeyType;
    // As in Node, a key's fields are not enumerable, so that it is not printed, emitted or stored by mistake.
    for (const name of Object.keys(this)) Object.defineProperty(this, name, { enumerable: false });
    if (!description) return;
    const { publicExponent, details } = description;
    const exponent = publicExponent === undefined ? {} : { publicExponent: BigInt(`0x${publicExponent}`) };
    this.#details = { ...details, ...exponent };
  }

  get symmetricKeySize(): number | undefined {
    return this.type === 'secret' ? this.bytes.length : undefined;
  }

  get asymmetricKeyDetails(): object | undefined {
    return this.#details && { ...this.#details };
  }

  get [Symbol.toStringTag](): string {
    return 'KeyObject';
  }

  /** Returns PEM text by default, in the formats for all algorithms: `spki` and `pkcs8`. */
  export({ format, type, cipher }: ExportOptions = {}): unknown {
    if (cipher !== undefined) throw encryptionUnavailable();
    if (this.type === 'secret') {
      if (format !== 'jwk') return Buffer.from(this.bytes);
      return { kty: 'oct', k: this.bytes.toString('base64url') };
    }
    if (format === 'jwk') return JSON.parse(String(ask('keyExport', this.type, keyText(this), 'jwk'))) as unknown;
    const defaultType = this.type === 'private' ? 'pkcs8' : 'spki';
    if (type !== undefined && !exportTypes[this.type]?.includes(type))
      throw Object.assign(new TypeError(`The property 'options.type' is invalid. Received '${type}'`), {
        code: 'ERR_INVALID_ARG_VALUE',
      });
    if (format === 'der')
      return Buffer.from(ask('keyExport', this.type, keyText(this), type ?? defaultType) as ArrayBuffer);
    return type === undefined || type === defaultType
      ? this.pem
      : ask('keyExport', this.type, keyText(this), type, 'pem');
  }

  equals(other: unknown): boolean {
    if (!(other instanceof KeyObject)) throw new TypeError('The "otherKeyObject" argument must be a KeyObject');
    return this.type === other.type && this.pem === other.pem && this.bytes.equals(other.bytes);
  }
}

export const isSecretKey = (key: unknown): key is KeyObject => key instanceof KeyObject && key.type === 'secret';

export const createSecretKey = (key: unknown, encoding?: BufferEncoding): KeyObject =>
  new KeyObject('secret', Buffer.from(viewOf(key, encoding, 'key')));

function plainKey(key: unknown): unknown {
  if (key instanceof KeyObject) return key.pem;
  if (typeof key === 'string') return key;
  if (ArrayBuffer.isView(key) || key instanceof ArrayBuffer) return { base64: viewOf(key).toString('base64') };
  return key;
}

/** A key and its options as JSON: `{ key, passphrase?, format?, type?, padding?, saltLength?, dsaEncoding? }`. */
export function keyText(key: unknown): string {
  const hasOptions = typeof key === 'object' && key !== null && 'key' in key && !(key instanceof KeyObject);
  if (!hasOptions) return JSON.stringify({ key: plainKey(key) });
  const { key: inner, ...options } = key as { key: unknown };
  return JSON.stringify({ ...options, key: plainKey(inner) });
}

export const keyOf = (type: 'private' | 'public', description: KeyDescription): KeyObject =>
  new KeyObject(type, Buffer.alloc(0), description);

const createAsymmetricKey = (type: 'private' | 'public', key: unknown): KeyObject =>
  keyOf(type, JSON.parse(String(ask('key', type, keyText(key)))) as KeyDescription);

export const createPrivateKey = (key: unknown): KeyObject => createAsymmetricKey('private', key);
export const createPublicKey = (key: unknown): KeyObject => createAsymmetricKey('public', key);
