// Translates the algorithms that callers of crypto.subtle name into Node's names.

export interface NormalizedAlgorithm {
  readonly name: AlgorithmName;
  readonly [field: string]: unknown;
}

const names = [
  'HMAC',
  'AES-GCM',
  'AES-CBC',
  'AES-CTR',
  'AES-KW',
  'PBKDF2',
  'HKDF',
  'RSASSA-PKCS1-v1_5',
  'RSA-PSS',
  'RSA-OAEP',
  'ECDSA',
  'Ed25519',
  'ECDH',
  'X25519',
] as const;
export type AlgorithmName = (typeof names)[number];

export const domException = (name: string, message: string): unknown => new DOMException(message, name);

const unsupportedError = (what: unknown): unknown =>
  domException('NotSupportedError', `${String(what)} is not supported in components`);

const nameOf = (value: unknown): string =>
  String(typeof value === 'object' && value !== null ? (value as { name?: unknown }).name : value);

export function normalizeAlgorithm(value: unknown): NormalizedAlgorithm {
  const upperName = nameOf(value).toUpperCase();
  const name = names.find((known) => known.toUpperCase() === upperName);
  if (name === undefined) throw unsupportedError(nameOf(value));
  return { ...(typeof value === 'object' ? value : {}), name };
}

export interface Digest {
  /** The web's name: `SHA-256`. */
  readonly name: string;
  /** Node's name: `sha256`. */
  readonly node: string;
  readonly blockBits: number;
}

export function digestOf(value: unknown): Digest {
  const name = nameOf(value).toUpperCase();
  if (!/^SHA-(1|256|384|512)$/.test(name)) throw unsupportedError(nameOf(value));
  return { name, node: name.replace('-', '').toLowerCase(), blockBits: /384|512/.test(name) ? 1024 : 512 };
}

export interface Curve {
  readonly name: string;
  readonly node: string;
  readonly bytes: number;
}

const curves: readonly Curve[] = [
  { name: 'P-256', node: 'prime256v1', bytes: 32 },
  { name: 'P-384', node: 'secp384r1', bytes: 48 },
  { name: 'P-521', node: 'secp521r1', bytes: 66 },
];

export function curveOf(value: unknown): Curve {
  const curve = curves.find(({ name }) => name === value);
  if (curve === undefined) throw unsupportedError(value);
  return curve;
}

type Aes = 'AES-GCM' | 'AES-CBC' | 'AES-CTR' | 'AES-KW';
export const isAes = (name: AlgorithmName): name is Aes => name.startsWith('AES-');
/** These have one curve each, on which a public key is a single number. */
export const hasSingleCurve = (name: AlgorithmName): name is 'Ed25519' | 'X25519' => name.endsWith('25519');
/** Algorithms by which two sides agree on a secret. */
export const isKeyAgreement = (name: AlgorithmName): name is 'ECDH' | 'X25519' => name === 'ECDH' || name === 'X25519';
export const isKeyDerivation = (name: AlgorithmName): name is 'PBKDF2' | 'HKDF' => name === 'PBKDF2' || name === 'HKDF';
export const isRsa = (name: AlgorithmName): name is 'RSASSA-PKCS1-v1_5' | 'RSA-PSS' | 'RSA-OAEP' =>
  name.startsWith('RSA');

/** The length of a secret key of this algorithm, in bits. */
export function secretBits({ name, length, hash }: NormalizedAlgorithm): number {
  if (isAes(name)) {
    if (length !== 128 && length !== 192 && length !== 256)
      throw domException('OperationError', 'AES keys have 128, 192 or 256 bits');
    return length;
  }
  const bits = length === undefined ? digestOf(hash).blockBits : Number(length);
  if (!(bits > 0) || bits % 8 !== 0) throw domException('OperationError', 'HMAC keys have whole bytes');
  return bits;
}
