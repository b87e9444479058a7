// Reads, writes and generates asymmetric keys of components, within limits.
import crypto from 'node:crypto';
import { keyUnitsMax, modulusBitsMax, checkRange } from '../costs.ts';
import { isTooCostly } from './encrypted-keys.ts';

type KeyBag = { key: string | { base64: string }; passphrase?: unknown; [option: string]: unknown };
type KeyInput = crypto.SignKeyObjectInput & crypto.VerifyKeyObjectInput;

/** Generating a key of this size usually takes half a second; the next size takes several times as long. */
const generatedBitsMax = 3_072;
/** The two exponents in use; with others the search for primes takes long. */
const exponents: ReadonlyMap<unknown, number> = new Map([
  ['010001', 65_537],
  ['03', 3],
]);

const outOfRange = (message: string): Error => Object.assign(new RangeError(message), { code: 'ERR_OUT_OF_RANGE' });

function parseKey(text: string): KeyInput {
  checkRange('The characters of the key', text.length, keyUnitsMax);
  const { key, ...options } = JSON.parse(text) as KeyBag;
  const keyData = typeof key === 'object' && 'base64' in key ? Buffer.from(key.base64, 'base64') : key;
  const isText = typeof keyData === 'string' || Buffer.isBuffer(keyData);
  if (options.passphrase !== undefined && isText && isTooCostly(keyData)) {
    throw outOfRange("The key's own encryption asks for more work than a component may do");
  }
  return { ...options, key: keyData } as never;
}

function keyObject(type: string, parsed: KeyInput): crypto.KeyObject {
  const key = type === 'private' ? crypto.createPrivateKey(parsed as never) : crypto.createPublicKey(parsed as never);
  checkRange('The bits of the key', key.asymmetricKeyDetails?.modulusLength ?? 0, modulusBitsMax);
  return key;
}

/** Includes the signing options, which are part of the key's text. */
export function keyFor(type: string, text: string): KeyInput {
  const parsed = parseKey(text);
  return { ...(parsed as object), key: keyObject(type, parsed) } as never;
}

/** What is reported to the guest of a key: its text and the fields that Node shows. */
export function describeKey(key: crypto.KeyObject): object {
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

export const keyInfo = (type: string, text: string): string =>
  JSON.stringify(describeKey(keyObject(type, parseKey(text))));

/** Exports a key as DER or PEM in a form such as `spki` or `pkcs1`, or as the text of a JWK. */
export function keyExport(type: string, text: string, form: string, format: unknown = 'der'): ArrayBuffer | string {
  const key = keyObject(type, parseKey(text));
  if (form === 'jwk') return JSON.stringify(key.export({ format: 'jwk' }));
  if (format === 'pem') return key.export({ type: form as 'spki', format: 'pem' }).toString();
  return new Uint8Array(key.export({ type: form as 'spki', format: 'der' })).buffer;
}

const singleCurveKinds: ReadonlySet<string> = new Set(['ed25519', 'ed448', 'x25519', 'x448']);

function generatePair(kind: string, optionsText: string): crypto.KeyPairKeyObjectResult {
  const { modulusLength, publicExponent, namedCurve } = JSON.parse(optionsText) as Record<string, unknown>;
  if (singleCurveKinds.has(kind)) return crypto.generateKeyPairSync(kind as 'ed25519');
  if (kind !== 'rsa') return crypto.generateKeyPairSync('ec', { namedCurve: String(namedCurve) });
  checkRange('The bits of a key that is made', modulusLength, generatedBitsMax);
  const exponent = exponents.get(publicExponent);
  if (exponent === undefined) throw outOfRange('The public exponent must be 65537 or 3');
  return crypto.generateKeyPairSync('rsa', { modulusLength: Number(modulusLength), publicExponent: exponent });
}

export function keyPair(kind: string, optionsText: string): string {
  const { publicKey, privateKey } = generatePair(kind, optionsText);
  return JSON.stringify({ public: describeKey(publicKey), private: describeKey(privateKey) });
}

type Rsa = [key: string, data: ArrayBuffer, label: ArrayBuffer | null];

const rsaOperation =
  (type: 'public' | 'private', rsaFunction: (key: crypto.RsaPrivateKey, data: Buffer) => Uint8Array) =>
  (...[key, data, label]: Rsa): ArrayBuffer => {
    const labelled = label === null ? {} : { oaepLabel: Buffer.from(label) };
    return new Uint8Array(rsaFunction({ ...(keyFor(type, key) as object), ...labelled } as never, Buffer.from(data)))
      .buffer;
  };

export const publicEncrypt = rsaOperation('public', crypto.publicEncrypt);
export const privateDecrypt = rsaOperation('private', crypto.privateDecrypt);
export const privateEncrypt = rsaOperation('private', crypto.privateEncrypt);
export const publicDecrypt = rsaOperation('public', crypto.publicDecrypt);
