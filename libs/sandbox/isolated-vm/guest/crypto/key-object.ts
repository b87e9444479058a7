// KeyObject and what the sign and cipher functions accept as a key.
import { ask } from '../core/bridge.ts';
import { Buffer } from '../encoding/buffer.ts';
import { viewOf } from './bytes.ts';

type KeyType = 'secret' | 'private' | 'public';

const notWritten = (type: KeyType, form: string): Error =>
  Object.assign(new Error(`Components cannot export a ${type} key as ${form}: use spki, pkcs8 or the format jwk`), {
    code: 'ERR_NOT_AVAILABLE',
  });

export class KeyObject {
  readonly type: KeyType;
  /** A secret key's bytes; empty for the others. */
  readonly bytes: Buffer;
  /** An asymmetric key's PEM text. */
  readonly pem: string;
  readonly asymmetricKeyType: string | undefined;

  constructor(type: KeyType, bytes: Buffer, pem = '', asymmetricKeyType?: string) {
    this.type = type;
    this.bytes = bytes;
    this.pem = pem;
    this.asymmetricKeyType = asymmetricKeyType;
  }

  get symmetricKeySize(): number | undefined {
    return this.type === 'secret' ? this.bytes.length : undefined;
  }

  /** By default PEM text, in the forms that are not of one algorithm: `spki` and `pkcs8`. */
  export({ format, type }: { readonly format?: string; readonly type?: string } = {}): unknown {
    if (this.type === 'secret') {
      if (format !== 'jwk') return Buffer.from(this.bytes);
      return { kty: 'oct', k: this.bytes.toString('base64url') };
    }
    const form = this.type === 'private' ? 'pkcs8' : 'spki';
    if (format === 'jwk') return JSON.parse(String(ask('keyExport', this.type, keyText(this), 'jwk'))) as unknown;
    if (type !== undefined && type !== form) throw notWritten(this.type, type);
    if (format === 'der') return Buffer.from(ask('keyExport', this.type, keyText(this), form) as ArrayBuffer);
    return this.pem;
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

/** A key with its options as JSON for the host: `{ key, passphrase?, format?, type?, padding?, saltLength?, dsaEncoding? }`. */
export function keyText(key: unknown): string {
  const isBag = typeof key === 'object' && key !== null && 'key' in key && !(key instanceof KeyObject);
  if (!isBag) return JSON.stringify({ key: plainKey(key) });
  const { key: inner, ...options } = key as { key: unknown };
  return JSON.stringify({ ...options, key: plainKey(inner) });
}

function asymmetric(type: 'private' | 'public', key: unknown): KeyObject {
  const { pem, asymmetricKeyType } = JSON.parse(String(ask('key', type, keyText(key)))) as Record<string, string>;
  return new KeyObject(type, Buffer.alloc(0), pem, asymmetricKeyType);
}

export const createPrivateKey = (key: unknown): KeyObject => asymmetric('private', key);
export const createPublicKey = (key: unknown): KeyObject => asymmetric('public', key);
