// KeyObject and what the sign and cipher functions accept as a key.
import { ask } from '../core/bridge.ts';
import { Buffer } from '../encoding/buffer.ts';
import { viewOf } from './bytes.ts';

type KeyType = 'secret' | 'private' | 'public';

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

  export(): Buffer | string {
    return this.type === 'secret' ? Buffer.from(this.bytes) : this.pem;
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
