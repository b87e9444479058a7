// Generates keys, and encrypts and decrypts by RSA keys.
import { ask } from '../../core/bridge.ts';
import { askBytes, toArrayBuffer, viewOf } from '../bytes.ts';
import { createSecretKey, keyOf, keyText } from './key-object.ts';
import type { KeyObject, KeyDescription } from './key-object.ts';
import { randomBytes } from '../random.ts';

type Encoding = Parameters<KeyObject['export']>[0];

interface Options {
  readonly modulusLength?: number;
  readonly publicExponent?: number;
  readonly namedCurve?: string;
  readonly publicKeyEncoding?: Encoding;
  readonly privateKeyEncoding?: Encoding & { readonly cipher?: string };
}

interface Pair {
  readonly publicKey: unknown;
  readonly privateKey: unknown;
}

type Callback = (error: unknown, publicKey?: unknown, privateKey?: unknown) => void;

const kinds = ['rsa', 'ec', 'ed25519', 'ed448', 'x25519', 'x448'];
const exponentDefault = 65_537;

const notAvailable = (message: string): Error => Object.assign(new Error(message), { code: 'ERR_NOT_AVAILABLE' });

export function generateKeyPairSync(kind: unknown, options: Options = {}): Pair {
  if (!kinds.includes(String(kind)))
    throw notAvailable(`Components can make keys of ${kinds.join(', ')}, not of ${String(kind)}`);
  const {
    modulusLength,
    publicExponent = exponentDefault,
    namedCurve,
    publicKeyEncoding,
    privateKeyEncoding,
  } = options;
  if (privateKeyEncoding?.cipher !== undefined)
    throw notAvailable('Components cannot encrypt the keys that they export');
  const hex = publicExponent.toString(16);
  const request = { modulusLength, namedCurve, publicExponent: hex.length % 2 === 0 ? hex : `0${hex}` };
  const pair = JSON.parse(String(ask('keyPair', String(kind), JSON.stringify(request)))) as Record<
    'public' | 'private',
    KeyDescription
  >;
  const exportAs = (type: 'public' | 'private', encoding: Encoding | undefined): unknown => {
    const key = keyOf(type, pair[type]);
    return encoding === undefined ? key : key.export(encoding);
  };
  return { publicKey: exportAs('public', publicKeyEncoding), privateKey: exportAs('private', privateKeyEncoding) };
}

export function generateKeyPair(kind: unknown, options: Options, done: Callback): void {
  void Promise.resolve()
    .then(() => generateKeyPairSync(kind, options))
    .then(
      ({ publicKey, privateKey }) => done(null, publicKey, privateKey),
      (error: unknown) => done(error),
    );
}
Object.defineProperty(generateKeyPair, Symbol.for('nodejs.util.promisify.custom'), {
  value: async (kind: unknown, options: Options): Promise<Pair> => generateKeyPairSync(kind, options),
});

/** A secret key. For HMAC, bits beyond the last whole byte are left out, as in Node. */
export function generateKeySync(kind: unknown, { length }: { readonly length?: number } = {}): KeyObject {
  if (kind === 'aes' && ![128, 192, 256].includes(Number(length)))
    throw Object.assign(new TypeError(`The property 'options.length' must be 128, 192 or 256. Received ${length}`), {
      code: 'ERR_INVALID_ARG_VALUE',
    });
  if (kind !== 'aes' && kind !== 'hmac')
    throw notAvailable(`Components can make secret keys of hmac and aes, not of ${String(kind)}`);
  if (typeof length !== 'number' || !(length >= 8 && length < 2 ** 31))
    throw Object.assign(new RangeError(`The value of "options.length" is out of range. Received ${String(length)}`), {
      code: 'ERR_OUT_OF_RANGE',
    });
  return createSecretKey(randomBytes(Math.floor(length / 8)));
}

export function generateKey(
  kind: unknown,
  options: { readonly length?: number },
  done: (e: unknown, key?: KeyObject) => void,
): void {
  void Promise.resolve()
    .then(() => generateKeySync(kind, options))
    .then(
      (key) => done(null, key),
      (error: unknown) => done(error),
    );
}

const oaepPadding = 4;
const pkcs1Padding = 1;

type RsaOperation = 'publicEncrypt' | 'privateDecrypt' | 'privateEncrypt' | 'publicDecrypt';

/** When encrypting with the public key, Node's default padding is OAEP, unlike for signatures. */
function runRsa(name: RsaOperation, key: unknown, data: unknown): Buffer {
  const { oaepLabel, ...keyOptions } = JSON.parse(keyText(key)) as Record<string, unknown>;
  const labelInput = (key as { readonly oaepLabel?: unknown } | null)?.oaepLabel;
  const label = oaepLabel === undefined ? null : toArrayBuffer(viewOf(labelInput, undefined, 'key.oaepLabel'));
  const padding = name === 'publicEncrypt' || name === 'privateDecrypt' ? oaepPadding : pkcs1Padding;
  return askBytes(
    name,
    JSON.stringify({ padding, ...keyOptions }),
    toArrayBuffer(viewOf(data, undefined, 'buffer')),
    label,
  );
}

export const publicEncrypt = (key: unknown, data: unknown): Buffer => runRsa('publicEncrypt', key, data);
export const privateDecrypt = (key: unknown, data: unknown): Buffer => runRsa('privateDecrypt', key, data);
export const privateEncrypt = (key: unknown, data: unknown): Buffer => runRsa('privateEncrypt', key, data);
export const publicDecrypt = (key: unknown, data: unknown): Buffer => runRsa('publicDecrypt', key, data);
