// Asymmetric keys of components: read, written and made, each within a bound.
import crypto from 'node:crypto';
import { keyUnitsMax, modulusBitsMax, within } from './costs.ts';
import { isTooCostly } from './encrypted-keys.ts';

type KeyBag = { key: string | { base64: string }; passphrase?: unknown; [option: string]: unknown };
type KeyInput = crypto.SignKeyObjectInput & crypto.VerifyKeyObjectInput;

/** A key of this size is mostly made within half a second; the next size takes several times as long. */
const madeBitsMax = 3_072;
/** The two exponents in use; others make the search for primes long. */
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

/** Includes the options for signing, which go with the key. */
export function keyFor(type: string, text: string): KeyInput {
  const bag = keyBag(text);
  return { ...(bag as object), key: keyObject(type, bag) } as never;
}

function told(key: crypto.KeyObject): object {
  const { modulusLength, publicExponent, namedCurve } = key.asymmetricKeyDetails ?? {};
  const hex = publicExponent?.toString(16);
  return {
    pem: key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }),
    asymmetricKeyType: key.asymmetricKeyType,
    modulusLength,
    publicExponent: hex === undefined || hex.length % 2 === 0 ? hex : `0${hex}`,
    namedCurve,
  };
}

export const keyInfo = (type: string, text: string): string => JSON.stringify(told(keyObject(type, keyBag(text))));

/** DER, or a JWK as text. */
export function keyExport(type: string, text: string, format: string): ArrayBuffer | string {
  const key = keyObject(type, keyBag(text));
  if (format === 'jwk') return JSON.stringify(key.export({ format: 'jwk' }));
  return new Uint8Array(key.export({ type: type === 'private' ? 'pkcs8' : 'spki', format: 'der' })).buffer;
}

function pairOf(kind: string, optionsText: string): crypto.KeyPairKeyObjectResult {
  const { modulusLength, publicExponent, namedCurve } = JSON.parse(optionsText) as Record<string, unknown>;
  if (kind === 'ed25519') return crypto.generateKeyPairSync('ed25519');
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

const byRsa = (type: string, [key, data, label]: Rsa) =>
  [{ ...(keyFor(type, key) as object), ...(label === null ? {} : { oaepLabel: Buffer.from(label) }) }, data] as const;

export function publicEncrypt(...all: Rsa): ArrayBuffer {
  const [key, data] = byRsa('public', all);
  return new Uint8Array(crypto.publicEncrypt(key as never, Buffer.from(data))).buffer;
}

export function privateDecrypt(...all: Rsa): ArrayBuffer {
  const [key, data] = byRsa('private', all);
  return new Uint8Array(crypto.privateDecrypt(key as never, Buffer.from(data))).buffer;
}
