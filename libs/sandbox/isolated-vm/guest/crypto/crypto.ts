// Node's crypto module, as far as an isolate can offer it with the help of its host.
import { createCipheriv, createDecipheriv } from './cipher.ts';
import { hkdfSync, pbkdf2, pbkdf2Sync, scrypt, scryptSync } from './derive.ts';
import { timingSafeEqual } from './equal.ts';
import { Hash, createHash, createHmac, hash, hashNames } from './hash.ts';
import { generateKeyPair, generateKeyPairSync, privateDecrypt, publicEncrypt } from './key-pairs.ts';
import { KeyObject, createPrivateKey, createPublicKey, createSecretKey } from './key-object.ts';
import { randomBytes, randomFill, randomFillSync, randomInt, randomUUID } from './random.ts';
import { Sign, Verify, createSign, createVerify, sign, verify } from './sign.ts';
import { webcrypto } from './webcrypto.ts';

const unavailable = (name: string) => (): never => {
  throw Object.assign(new Error(`crypto.${name} is not available to components`), { code: 'ERR_NOT_AVAILABLE' });
};

export const crypto = {
  Hash,
  Hmac: Hash,
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
  generateKeyPair,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
  getHashes: (): string[] => [...hashNames],
  getCiphers: (): string[] => [
    'aes-128-cbc',
    'aes-128-gcm',
    'aes-256-cbc',
    'aes-256-ctr',
    'aes-256-ecb',
    'aes-256-gcm',
  ],
  hash,
  hkdfSync,
  pbkdf2,
  pbkdf2Sync,
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
    RSA_PKCS1_OAEP_PADDING: 4,
    RSA_PKCS1_PSS_PADDING: 6,
    RSA_PSS_SALTLEN_DIGEST: -1,
    RSA_PSS_SALTLEN_MAX_SIGN: -2,
    RSA_PSS_SALTLEN_AUTO: -2,
  },
  createDiffieHellman: unavailable('createDiffieHellman'),
  createECDH: unavailable('createECDH'),
};
