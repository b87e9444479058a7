// Node's crypto module, as far as an isolate can offer it with the host's help.
import { Cipheriv, Decipheriv, createCipheriv, createDecipheriv, getCipherInfo } from './ciphers/cipher.ts';
import { hkdf, hkdfSync, pbkdf2, pbkdf2Sync, scrypt, scryptSync } from './derive.ts';
import { timingSafeEqual } from './equal.ts';
import { Hash, Hmac, createHash, createHmac, hash, hashNames } from './hash.ts';
import { X509Certificate } from './keys/certificate.ts';
import { ECDH, createECDH, diffieHellman, getCurves } from './keys/ecdh.ts';
import * as pairs from './keys/key-pairs.ts';
import { KeyObject, createPrivateKey, createPublicKey, createSecretKey } from './keys/key-object.ts';
import { randomBytes, randomFill, randomFillSync, randomInt, randomUUID } from './random.ts';
import { Sign, Verify, createSign, createVerify, sign, verify } from './keys/sign.ts';
import { webcrypto } from './webcrypto.ts';

const unavailable = (name: string) => (): never => {
  throw Object.assign(new Error(`crypto.${name} is not available to components`), { code: 'ERR_NOT_AVAILABLE' });
};

/** Not available: their work grows with primes that the caller chooses, or needs more memory than an isolate has. */
const unavailableNames = [
  'createDiffieHellman',
  'createDiffieHellmanGroup',
  'getDiffieHellman',
  'generatePrime',
  'generatePrimeSync',
  'checkPrime',
  'checkPrimeSync',
  'argon2',
  'argon2Sync',
];

export const crypto = {
  ...pairs,
  Cipheriv,
  Decipheriv,
  ECDH,
  X509Certificate,
  Hash,
  Hmac,
  KeyObject,
  Sign,
  Verify,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  createSign,
  createVerify,
  createECDH,
  diffieHellman,
  getCurves,
  getFips: (): number => 0,
  getCipherInfo,
  getHashes: (): string[] => [...hashNames],
  getCiphers: (): string[] => [
    'aes-128-cbc',
    'aes-128-ctr',
    'aes-128-gcm',
    'aes-192-cbc',
    'aes-192-ctr',
    'aes-192-gcm',
    'aes-256-cbc',
    'aes-256-ctr',
    'aes-256-ecb',
    'aes-256-gcm',
    'chacha20-poly1305',
  ],
  hash,
  hkdf,
  hkdfSync,
  pbkdf2,
  pbkdf2Sync,
  pseudoRandomBytes: randomBytes,
  randomBytes,
  randomFill,
  randomFillSync,
  randomInt,
  randomUUID,
  scrypt,
  scryptSync,
  sign,
  timingSafeEqual,
  verify,
  webcrypto,
  subtle: webcrypto.subtle,
  getRandomValues: webcrypto.getRandomValues,
  constants: {
    RSA_PKCS1_PADDING: 1,
    RSA_NO_PADDING: 3,
    RSA_PKCS1_OAEP_PADDING: 4,
    RSA_PKCS1_PSS_PADDING: 6,
    RSA_PSS_SALTLEN_DIGEST: -1,
    RSA_PSS_SALTLEN_MAX_SIGN: -2,
    RSA_PSS_SALTLEN_AUTO: -2,
  },
  ...Object.fromEntries(unavailableNames.map((name) => [name, unavailable(name)])),
};
