// Reads, writes and generates asymmetric keys of components, within limits.
import crypto from 'node:crypto';
import { keyUnitsMax, modulusBitsMax, within } from '../costs.ts';
import { isTooCostly } from './encrypted-keys.ts';

type KeyBag = { key: string | { base64: string }; passphrase?: unknown; [option: string]: unknown };
type KeyInput = crypto.SignKeyObjectInput & crypto.VerifyKeyObjectInput;

/** Generating a key of this size usually takes half a second; the next size takes several times as long. */
const madeBitsMax = 3_072;
/** The two exponents in use; with others the search for primes takes long. */
const exponents: ReadonlyMap<unknown, number> = new Map([
  ['010001', 65_537],
  ['03', 3],
]);

const outOfRange = (message: string): Error => Object.assign(new RangeError(message), { code: 'ERR_OUT_OF_RANGE' });

function keyBag(text: string): KeyInput {
  within('The characters of the key', text.length, keyUnitsMax);
  const { key, ...options } = JSON.parse(text) as KeyBag;
  const plain = typeof key === 'object' && 'base64' in key ? Buffer.from(key.base64, 'base64') : key;
  const isText = typeof plain === 'string' || Buffer.isBuffer(plain);
  if (options.passphrase !== undefined && isText && isTooCostly(plain)) {
    throw outOfRange("The key's own encryption asks for more work than a component may do");
  }
  return { ...options, key: plain } as never;
}

function keyObject(type: string, bag: KeyInput): crypto.KeyObject {
  const key = type === 'private' ? crypto.createPrivateKey(bag as never) : crypto.createPublicKey(bag as never);
  within('The bits of the key', key.asymmetricKeyDetails?.modulusLength ?? 0, modulusBitsMax);
  return key;
}

/** Includes the signing options, which are part of the key's text. */
export function keyFor(type: string, text: string): KeyInput {
  const bag = keyBag(text);
  return { ...(bag as object), key: keyObject(type, bag) } as never;
}

/** What is reported to the guest of a key: its text and the fields that Node shows. */
export function told(key: crypto.KeyObject): object {
  const { publicExponent, ...details } = key.asymmetricKeyDetails ?? {};
  const { modulusLength, namedCurve } = details;
  const hex = publicExponent?.toString(16);
  return {
    pem: key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }),
    asymmetricKeyType: key.asymmetricKeyType,
    modulusLength,
    publicExponent: hex === undefined || hex.length % 2 === 0 ? hex : `0${hex}`,
    namedCurve,
    details,
  };
}

export const keyInfo = (type: string, text: string): string => JSON.stringify(told(keyObject(type, keyBag(text))));

/** Exports a key as DER or PEM in a form such as `spki` or `pkcs1`, or as the text of a JWK. */
export function keyExport(type: string, text: string, form: string, format: unknown = 'der'): ArrayBuffer | string {
  const key = keyObject(type, keyBag(text));
  if (form === 'jwk') return JSON.stringify(key.export({ format: 'jwk' }));
  if (format === 'pem') return key.export({ type: form as 'spki', format: 'pem' }).toString();
  return new Uint8Array(key.export({ type: form as 'spki', format: 'der' })).buffer;
}

const ofOneCurve: ReadonlySet<string> = new Set(['ed25519', 'ed448', 'x25519', 'x448']);

function pairOf(kind: string, optionsText: string): crypto.KeyPairKeyObjectResult {
  const { modulusLength, publicExponent, namedCurve } = JSON.parse(optionsText) as Record<string, unknown>;
  if (ofOneCurve.has(kind)) return crypto.generateKeyPairSync(kind as 'ed25519');
  if (kind !== 'rsa') return crypto.generateKeyPairSync('ec', { namedCurve: String(namedCurve) });
  within('The bits of a key that is made', modulusLength, madeBitsMax);
  const exponent = exponents.get(publicExponent);
  if (exponent === undefined) throw outOfRange('The public exponent must be 65537 or 3');
  return crypto.generateKeyPairSync('rsa', { modulusLength: Number(modulusLength), publicExponent: exponent });
}

export function keyPair(kind: string, optionsText: string): string {
  const { publicKey, privateKey } = pairOf(kind, optionsText);
  return JSON.stringify({ public: told(publicKey), private: told(privateKey) });
}

type Rsa = [key: string, data: ArrayBuffer, label: ArrayBuffer | null];

const byRsa =
  (type: 'public' | 'private', work: (key: crypto.RsaPrivateKey, data: Buffer) => Uint8Array) =>
  (...[key, data, label]: Rsa): ArrayBuffer => {
    const labelled = label === null ? {} : { oaepLabel: Buffer.from(label) };
    return new Uint8Array(work({ ...(keyFor(type, key) as object), ...labelled } as never, Buffer.from(data))).buffer;
  };

export const publicEncrypt = byRsa('public', crypto.publicEncrypt);
export const privateDecrypt = byRsa('private', crypto.privateDecrypt);
export const privateEncrypt = byRsa('private', crypto.privateEncrypt);
export const publicDecrypt = byRsa('public', crypto.publicDecrypt);
