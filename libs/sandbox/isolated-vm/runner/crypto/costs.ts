// Checks the cost of cryptographic operations before they begin, because they cannot be interrupted.
import crypto from 'node:crypto';

/** Limit for salts, passwords and all other data that is processed once or a few times. */
export const dataBytesMax = 32 * 1024 * 1024;
/** Old ciphers do 25 MB a second, AES 1,000 MB. */
const slowCipherBytesMax = 4 * 1024 * 1024;
const passwordBytesMax = 1024 * 1024;
/** Bytes of a derived key, because the salt is hashed again for each block of it. */
const derivedBytesMax = 1024;
/** Iterations of SHA-2, about 1.5 seconds. OWASP recommends 600,000. */
const iterationsMax = 2_000_000;
/** N * r * p; takes 128 MiB and half a second. */
const scryptCostMax = 2 ** 20;
export const randomBytesMax = 1024 * 1024;
/** Characters of a key as PEM or JWK; RSA of 8,192 bits has 6,500. */
export const keyUnitsMax = 16 * 1024;
export const modulusBitsMax = 8_192;

/** Other digests take up to four times as long. */
const quickDigest = /^(rsa-)?(md5|sha-?1|sha-?(224|256|384|512|512-224|512-256))$/i;
const slowFactor = 4;

export function checkRange(name: string, value: unknown, max: number): void {
  if (typeof value !== 'number' || !(value >= 0) || value > max) {
    throw Object.assign(new RangeError(`${name} must be from 0 to ${max} in a component`), {
      code: 'ERR_OUT_OF_RANGE',
    });
  }
}

const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : value instanceof ArrayBuffer ? value.byteLength : 0;

/** The bytes of all arguments together; guest and host count them the same way. */
export const bytesOf = (args: readonly unknown[]): number => args.reduce<number>((sum, arg) => sum + lengthOf(arg), 0);

/** Throws a RangeError that names the limit. */
export function checkCipher(algorithm: string, bytes: number): void {
  const isQuick = /^(aes|id-aes|chacha20)/i.test(algorithm);
  checkRange(`The bytes for ${algorithm}`, bytes, isQuick ? dataBytesMax : slowCipherBytesMax);
}

const digestBytes = (digest: string): number => crypto.createHash(digest).digest().length;

export interface DerivationInput {
  readonly password: ArrayBuffer;
  readonly salt: ArrayBuffer;
  readonly length: number;
}

function checkDerivation({ password, salt, length }: DerivationInput): void {
  checkRange('The bytes of the password', password.byteLength, passwordBytesMax);
  checkRange('The bytes of the salt', salt.byteLength, passwordBytesMax);
  checkRange('The derived length', length, derivedBytesMax);
}

export function checkPbkdf2(input: DerivationInput, iterations: number, digest: string): void {
  checkDerivation(input);
  checkRange('The iterations', iterations, iterationsMax);
  const factor = quickDigest.test(digest) ? 1 : slowFactor;
  const blocks = Math.ceil(input.length / digestBytes(digest));
  checkRange(`The iterations for ${input.length} bytes with ${digest}`, iterations * blocks * factor, iterationsMax);
}

export function checkScrypt(input: DerivationInput, { N, r, p }: Readonly<Record<'N' | 'r' | 'p', number>>): void {
  checkDerivation(input);
  for (const [name, value] of Object.entries({ N, r, p })) checkRange(`scrypt's ${name}`, value, scryptCostMax);
  checkRange('The cost of scrypt (N * r * p)', N * r * p, scryptCostMax);
}

export function checkHkdf(input: DerivationInput, info: ArrayBuffer): void {
  checkDerivation(input);
  checkRange('The bytes of the info', info.byteLength, passwordBytesMax);
}
