// importKey of crypto.subtle, for every format, and generateKey.
import { ask } from '../../core/bridge.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { sourceOf } from '../bytes.ts';
import { keyText } from '../keys/key-object.ts';
import { randomBytes } from '../random.ts';
import { asked, curveOf, digestOf, isAes, isDerived, isOfOneCurve, isRsa, refused, secretBits } from './algorithms.ts';
import type { Asked } from './algorithms.ts';
import { allowed, CryptoKey } from './crypto-key.ts';
import type { KeyType, Usage } from './crypto-key.ts';

/** What the host reports of a key. */
interface Told {
  readonly pem: string;
  readonly asymmetricKeyType: string;
  readonly modulusLength?: number;
  readonly publicExponent?: string;
  readonly namedCurve?: string;
}

interface For {
  readonly extractable: boolean;
  readonly usages: readonly Usage[];
}

interface Jwk {
  readonly kty?: unknown;
  readonly k?: unknown;
  readonly d?: unknown;
}

const dataError = (message: string): unknown => refused('DataError', message);

export function importKey(...[format, data, algorithm, extractable, usages]: unknown[]): CryptoKey {
  const wanted = asked(algorithm);
  const given: For = { extractable: Boolean(extractable), usages: [...(usages as Usage[])] };
  const isSecret = wanted.name === 'HMAC' || isAes(wanted.name) || isDerived(wanted.name);
  return isSecret ? secretKey(wanted, secretBytes(format, data), given) : asymmetricKey(wanted, [format, data], given);
}

function secretBytes(format: unknown, data: unknown): Buffer {
  if (format === 'raw') return Buffer.from(sourceOf(data));
  if (format !== 'jwk') throw refused('NotSupportedError', `A secret key cannot be imported as ${String(format)}`);
  const { kty, k } = data as Jwk;
  if (kty !== 'oct' || typeof k !== 'string') throw dataError('Invalid keyData');
  return Buffer.from(k, 'base64url' as BufferEncoding);
}

function secretKey(wanted: Asked, bytes: Buffer, given: For): CryptoKey {
  const { name } = wanted;
  if (isAes(name) && ![16, 24, 32].includes(bytes.length)) throw dataError('Invalid key length');
  if (isDerived(name) && given.extractable) throw refused('SyntaxError', `${name} keys are not extractable`);
  if (name === 'HMAC' && bytes.length === 0) throw dataError('Zero-length key is not supported');
  const length = bytes.length * 8;
  const algorithm = isDerived(name) ? { name } : isAes(name) ? { name, length } : hmacAlgorithm(wanted, length);
  return new CryptoKey({ type: 'secret', algorithm, ...given }, { bytes });
}

const hmacAlgorithm = ({ name, hash }: Asked, length: number) => ({
  name,
  length,
  hash: { name: digestOf(hash).name },
});

/** The host parses the key; invalid input becomes the web's DataError. */
function asymmetricKey(wanted: Asked, [format, data]: [unknown, unknown], given: For): CryptoKey {
  const { type, text } = written(wanted, format, data);
  let told: Told;
  try {
    told = JSON.parse(String(ask('key', type, text))) as Told;
  } catch {
    throw dataError('Invalid keyData');
  }
  return new CryptoKey({ type, algorithm: traitsOf(wanted, told), ...given }, { pem: told.pem });
}

function written(wanted: Asked, format: unknown, data: unknown): { readonly type: KeyType; readonly text: string } {
  if (format === 'spki') return { type: 'public', text: keyText({ key: data, format: 'der', type: 'spki' }) };
  if (format === 'pkcs8') return { type: 'private', text: keyText({ key: data, format: 'der', type: 'pkcs8' }) };
  const { name } = wanted;
  if (format === 'raw' && (name === 'ECDSA' || name === 'ECDH'))
    return { type: 'public', text: pointText(wanted, sourceOf(data)) };
  if (format === 'raw' && isOfOneCurve(name)) return { type: 'public', text: numberText(name, sourceOf(data)) };
  if (format !== 'jwk') throw refused('NotSupportedError', `A key cannot be imported as ${String(format)}`);
  const type = (data as Jwk).d === undefined ? 'public' : 'private';
  return { type, text: keyText({ key: { ...(data as object) }, format: 'jwk' }) };
}

const numberBytes = 32;

function numberText(crv: string, number: Buffer): string {
  if (number.length !== numberBytes) throw dataError('Invalid keyData');
  return keyText({ key: { kty: 'OKP', crv, x: number.toString('base64url') }, format: 'jwk' });
}

const uncompressed = 4;

function pointText({ namedCurve }: Asked, point: Buffer): string {
  const { name: crv, bytes } = curveOf(namedCurve);
  if (point.length !== 1 + 2 * bytes || point[0] !== uncompressed) throw dataError('Invalid keyData');
  const part = (from: number): string => point.subarray(from, from + bytes).toString('base64url' as BufferEncoding);
  return keyText({ key: { kty: 'EC', crv, x: part(1), y: part(1 + bytes) }, format: 'jwk' });
}

function traitsOf(wanted: Asked, told: Told): CryptoKey['algorithm'] {
  const { name } = wanted;
  if (isRsa(name)) {
    if (told.asymmetricKeyType !== 'rsa' && told.asymmetricKeyType !== 'rsa-pss') throw dataError('Invalid key type');
    const publicExponent = new Uint8Array(Buffer.from(told.publicExponent ?? '', 'hex'));
    return { name, modulusLength: told.modulusLength, publicExponent, hash: { name: digestOf(wanted['hash']).name } };
  }
  if (isOfOneCurve(name)) {
    if (told.asymmetricKeyType !== name.toLowerCase()) throw dataError('Invalid key type');
    return { name };
  }
  const { name: namedCurve, node } = curveOf(wanted['namedCurve']);
  if (told.asymmetricKeyType !== 'ec') throw dataError('Invalid key type');
  if (told.namedCurve !== node) throw dataError('Named curve mismatch');
  return { name, namedCurve };
}

export function generateKey(...[algorithm, extractable, usages]: unknown[]): unknown {
  const wanted = asked(algorithm);
  const given: For = { extractable: Boolean(extractable), usages: [...(usages as Usage[])] };
  if (wanted.name === 'HMAC' || isAes(wanted.name))
    return secretKey(wanted, randomBytes(secretBits(wanted) / 8) as Buffer, given);
  if (isDerived(wanted.name)) throw refused('NotSupportedError', `There is no key to generate for ${wanted.name}`);
  return keyPair(wanted, given);
}

function kindOf(wanted: Asked): readonly [kind: string, options: object] {
  if (isOfOneCurve(wanted.name)) return [wanted.name.toLowerCase(), {}];
  if (!isRsa(wanted.name)) return ['ec', { namedCurve: curveOf(wanted['namedCurve']).node }];
  const publicExponent = sourceOf(wanted['publicExponent']).toString('hex');
  return ['rsa', { modulusLength: wanted['modulusLength'], publicExponent }];
}

function keyPair(wanted: Asked, { extractable, usages }: For): unknown {
  const of = (type: 'public' | 'private'): Usage[] =>
    usages.filter((usage) => allowed(wanted.name, type).includes(usage));
  if (of('private').length === 0) throw refused('SyntaxError', 'Usages cannot be empty when creating a key.');
  const [kind, options] = kindOf(wanted);
  const made = JSON.parse(String(ask('keyPair', kind, JSON.stringify(options)))) as Record<'public' | 'private', Told>;
  const keyOf = (type: 'public' | 'private', isShown: boolean): CryptoKey =>
    new CryptoKey(
      { type, algorithm: traitsOf(wanted, made[type]), extractable: isShown, usages: of(type) },
      { pem: made[type].pem },
    );
  return { publicKey: keyOf('public', true), privateKey: keyOf('private', extractable) };
}
