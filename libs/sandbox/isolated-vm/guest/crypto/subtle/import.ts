// importKey of crypto.subtle, for every format, and generateKey.
import { ask } from '../../core/bridge.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { sourceOf } from '../bytes.ts';
import { keyText } from '../keys/key-object.ts';
import { randomBytes } from '../random.ts';
import {
  normalizeAlgorithm,
  curveOf,
  digestOf,
  isAes,
  isKeyDerivation,
  hasSingleCurve,
  isRsa,
  domException,
  secretBits,
} from './algorithms.ts';
import type { NormalizedAlgorithm } from './algorithms.ts';
import { allowedUsages, CryptoKey } from './crypto-key.ts';
import type { KeyType, Usage } from './crypto-key.ts';

/** What the host reports of a key. */
interface KeyDescription {
  readonly pem: string;
  readonly asymmetricKeyType: string;
  readonly modulusLength?: number;
  readonly publicExponent?: string;
  readonly namedCurve?: string;
}

interface KeyOptions {
  readonly extractable: boolean;
  readonly usages: readonly Usage[];
}

interface Jwk {
  readonly kty?: unknown;
  readonly k?: unknown;
  readonly d?: unknown;
}

const dataError = (message: string): unknown => domException('DataError', message);

export function importKey(...[format, data, algorithm, extractable, usages]: unknown[]): CryptoKey {
  const normalized = normalizeAlgorithm(algorithm);
  const options: KeyOptions = { extractable: Boolean(extractable), usages: [...(usages as Usage[])] };
  const isSecret = normalized.name === 'HMAC' || isAes(normalized.name) || isKeyDerivation(normalized.name);
  return isSecret
    ? secretKey(normalized, secretBytes(format, data), options)
    : asymmetricKey(normalized, [format, data], options);
}

function secretBytes(format: unknown, data: unknown): Buffer {
  if (format === 'raw') return Buffer.from(sourceOf(data));
  if (format !== 'jwk') throw domException('NotSupportedError', `A secret key cannot be imported as ${String(format)}`);
  const { kty, k } = data as Jwk;
  if (kty !== 'oct' || typeof k !== 'string') throw dataError('Invalid keyData');
  return Buffer.from(k, 'base64url' as BufferEncoding);
}

function secretKey(normalized: NormalizedAlgorithm, bytes: Buffer, options: KeyOptions): CryptoKey {
  const { name } = normalized;
  if (isAes(name) && ![16, 24, 32].includes(bytes.length)) throw dataError('Invalid key length');
  if (isKeyDerivation(name) && options.extractable)
    throw domException('SyntaxError', `${name} keys are not extractable`);
  if (name === 'HMAC' && bytes.length === 0) throw dataError('Zero-length key is not supported');
  const length = bytes.length * 8;
  const algorithm = isKeyDerivation(name)
    ? { name }
    : isAes(name)
      ? { name, length }
      : hmacAlgorithm(normalized, length);
  return new CryptoKey({ type: 'secret', algorithm, ...options }, { bytes });
}

const hmacAlgorithm = ({ name, hash }: NormalizedAlgorithm, length: number) => ({
  name,
  length,
  hash: { name: digestOf(hash).name },
});

/** The host parses the key; invalid input becomes the web's DataError. */
function asymmetricKey(
  normalized: NormalizedAlgorithm,
  [format, data]: [unknown, unknown],
  options: KeyOptions,
): CryptoKey {
  const { type, text } = encodeKey(normalized, format, data);
  let description: KeyDescription;
  try {
    description = JSON.parse(String(ask('key', type, text))) as KeyDescription;
  } catch {
    throw dataError('Invalid keyData');
  }
  return new CryptoKey({ type, algorithm: algorithmOf(normalized, description), ...options }, { pem: description.pem });
}

function encodeKey(
  normalized: NormalizedAlgorithm,
  format: unknown,
  data: unknown,
): { readonly type: KeyType; readonly text: string } {
  if (format === 'spki') return { type: 'public', text: keyText({ key: data, format: 'der', type: 'spki' }) };
  if (format === 'pkcs8') return { type: 'private', text: keyText({ key: data, format: 'der', type: 'pkcs8' }) };
  const { name } = normalized;
  if (format === 'raw' && (name === 'ECDSA' || name === 'ECDH'))
    return { type: 'public', text: pointText(normalized, sourceOf(data)) };
  if (format === 'raw' && hasSingleCurve(name)) return { type: 'public', text: numberText(name, sourceOf(data)) };
  if (format !== 'jwk') throw domException('NotSupportedError', `A key cannot be imported as ${String(format)}`);
  const type = (data as Jwk).d === undefined ? 'public' : 'private';
  return { type, text: keyText({ key: { ...(data as object) }, format: 'jwk' }) };
}

const numberBytes = 32;

function numberText(crv: string, number: Buffer): string {
  if (number.length !== numberBytes) throw dataError('Invalid keyData');
  return keyText({ key: { kty: 'OKP', crv, x: number.toString('base64url') }, format: 'jwk' });
}

const uncompressed = 4;

function pointText({ namedCurve }: NormalizedAlgorithm, point: Buffer): string {
  const { name: crv, bytes } = curveOf(namedCurve);
  if (point.length !== 1 + 2 * bytes || point[0] !== uncompressed) throw dataError('Invalid keyData');
  const part = (from: number): string => point.subarray(from, from + bytes).toString('base64url' as BufferEncoding);
  return keyText({ key: { kty: 'EC', crv, x: part(1), y: part(1 + bytes) }, format: 'jwk' });
}

function algorithmOf(normalized: NormalizedAlgorithm, description: KeyDescription): CryptoKey['algorithm'] {
  const { name } = normalized;
  if (isRsa(name)) {
    if (description.asymmetricKeyType !== 'rsa' && description.asymmetricKeyType !== 'rsa-pss')
      throw dataError('Invalid key type');
    const publicExponent = new Uint8Array(Buffer.from(description.publicExponent ?? '', 'hex'));
    return {
      name,
      modulusLength: description.modulusLength,
      publicExponent,
      hash: { name: digestOf(normalized['hash']).name },
    };
  }
  if (hasSingleCurve(name)) {
    if (description.asymmetricKeyType !== name.toLowerCase()) throw dataError('Invalid key type');
    return { name };
  }
  const { name: namedCurve, node } = curveOf(normalized['namedCurve']);
  if (description.asymmetricKeyType !== 'ec') throw dataError('Invalid key type');
  if (description.namedCurve !== node) throw dataError('Named curve mismatch');
  return { name, namedCurve };
}

export function generateKey(...[algorithm, extractable, usages]: unknown[]): unknown {
  const normalized = normalizeAlgorithm(algorithm);
  const options: KeyOptions = { extractable: Boolean(extractable), usages: [...(usages as Usage[])] };
  if (normalized.name === 'HMAC' || isAes(normalized.name))
    return secretKey(normalized, randomBytes(secretBits(normalized) / 8) as Buffer, options);
  if (isKeyDerivation(normalized.name))
    throw domException('NotSupportedError', `There is no key to generate for ${normalized.name}`);
  return keyPair(normalized, options);
}

function keyPairParams(normalized: NormalizedAlgorithm): readonly [kind: string, options: object] {
  if (hasSingleCurve(normalized.name)) return [normalized.name.toLowerCase(), {}];
  if (!isRsa(normalized.name)) return ['ec', { namedCurve: curveOf(normalized['namedCurve']).node }];
  const publicExponent = sourceOf(normalized['publicExponent']).toString('hex');
  return ['rsa', { modulusLength: normalized['modulusLength'], publicExponent }];
}

function keyPair(normalized: NormalizedAlgorithm, { extractable, usages }: KeyOptions): unknown {
  const usagesFor = (type: 'public' | 'private'): Usage[] =>
    usages.filter((usage) => allowedUsages(normalized.name, type).includes(usage));
  if (usagesFor('private').length === 0)
    throw domException('SyntaxError', 'Usages cannot be empty when creating a key.');
  const [kind, options] = keyPairParams(normalized);
  const pair = JSON.parse(String(ask('keyPair', kind, JSON.stringify(options)))) as Record<
    'public' | 'private',
    KeyDescription
  >;
  const keyOf = (type: 'public' | 'private', isExtractable: boolean): CryptoKey =>
    new CryptoKey(
      { type, algorithm: algorithmOf(normalized, pair[type]), extractable: isExtractable, usages: usagesFor(type) },
      { pem: pair[type].pem },
    );
  return { publicKey: keyOf('public', true), privateKey: keyOf('private', extractable) };
}
