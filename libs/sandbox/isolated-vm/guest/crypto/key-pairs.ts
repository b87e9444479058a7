// generateKeyPair, and what is encrypted for the owner of a key.
import { ask } from '../core/bridge.ts';
import { Buffer } from '../encoding/buffer.ts';
import { askBytes, bare, viewOf } from './bytes.ts';
import { KeyObject, keyText } from './key-object.ts';

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

const kinds = ['rsa', 'ec', 'ed25519'];
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
  const asked = { modulusLength, namedCurve, publicExponent: hex.length % 2 === 0 ? hex : `0${hex}` };
  const made = JSON.parse(String(ask('keyPair', String(kind), JSON.stringify(asked)))) as Record<
    string,
    { pem: string }
  >;
  const keyOf = (type: 'public' | 'private', encoding: Encoding | undefined): unknown => {
    const key = new KeyObject(type, Buffer.alloc(0), made[type]?.pem, String(kind));
    return encoding === undefined ? key : key.export(encoding);
  };
  return { publicKey: keyOf('public', publicKeyEncoding), privateKey: keyOf('private', privateKeyEncoding) };
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

const oaepPadding = 4;

/** Node's own padding here is OAEP, unlike for signatures. */
function byRsa(name: 'publicEncrypt' | 'privateDecrypt', key: unknown, data: unknown): Buffer {
  const { oaepLabel, ...bag } = JSON.parse(keyText(key)) as Record<string, unknown>;
  const given = (key as { readonly oaepLabel?: unknown } | null)?.oaepLabel;
  const label = oaepLabel === undefined ? null : bare(viewOf(given, undefined, 'key.oaepLabel'));
  return askBytes(
    name,
    JSON.stringify({ padding: oaepPadding, ...bag }),
    bare(viewOf(data, undefined, 'buffer')),
    label,
  );
}

export const publicEncrypt = (key: unknown, data: unknown): Buffer => byRsa('publicEncrypt', key, data);
export const privateDecrypt = (key: unknown, data: unknown): Buffer => byRsa('privateDecrypt', key, data);
