// The cryptographic operations for guests, whose cost is checked before they begin. Errors are sent as text, because
// their stacks name files of the host.
import crypto from 'node:crypto';
import type { CipherGCM, DecipherGCM } from 'node:crypto';
import { isTagged } from '../../wire.ts';
import { compressed, crc32 } from './compression.ts';
import {
  bytesOf,
  checkCipher,
  checkHkdf,
  checkPbkdf2,
  checkScrypt,
  dataBytesMax,
  randomBytesMax,
  within,
} from './costs.ts';
import { decoded, encodingNamed } from './text-decoding.ts';
import { agreed, ecdhCheck, ecdhConvert, ecdhKeys, ecdhPublic, ecdhSecret } from './keys/agreement.ts';
import * as keys from './keys/asymmetric-keys.ts';
import { certificate, certificateAsked } from './keys/certificates.ts';

type Bytes = ArrayBuffer;
/** `kind`: the name of the error's class, if it is a class of the language. */
export type Answer = readonly [message: string | null, result?: unknown, code?: string | undefined, kind?: ErrorKind];
type ErrorKind = 'RangeError' | 'TypeError';
type Operation = (...args: never[]) => unknown;

const view = (bytes: Bytes | string): Buffer => (typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes));
/** A copy of exactly these bytes, because a Buffer's memory can be a shared pool. */
const exact = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

interface CipherExtras {
  readonly tagBytes: number;
  readonly padding: boolean;
}

type CipherArguments = [direction: string, algorithm: string, key: Bytes, iv: Bytes | null];

function cipherOf(args: CipherArguments, tagBytes = 16): CipherGCM | DecipherGCM {
  const [direction, algorithm, key, iv] = args;
  const options = isTagged(algorithm) ? { authTagLength: tagBytes } : undefined;
  const nonce = iv === null ? null : view(iv);
  const make = direction === 'encrypt' ? crypto.createCipheriv : crypto.createDecipheriv;
  return make(algorithm as 'aes-256-gcm', view(key), nonce as Buffer, options) as CipherGCM | DecipherGCM;
}

function cipher(...args: [string, string, Bytes, Bytes | null, Bytes, Bytes | null, Bytes | null, string]): unknown {
  const [direction, algorithm, key, iv, data, aad, tag, extrasText] = args;
  checkCipher(algorithm, bytesOf(args));
  const extras = JSON.parse(extrasText) as CipherExtras;
  const made = cipherOf([direction, algorithm, key, iv], extras.tagBytes);
  if (!extras.padding) made.setAutoPadding(false);
  if (aad) made.setAAD(view(aad), { plaintextLength: data.byteLength });
  if (tag && direction === 'decrypt') (made as DecipherGCM).setAuthTag(view(tag));
  const bytes = Buffer.concat([made.update(view(data)), made.final()]);
  const ownTag = direction === 'encrypt' && isTagged(algorithm) ? exact((made as CipherGCM).getAuthTag()) : null;
  return [exact(bytes), ownTag];
}

function scrypt(password: Bytes, salt: Bytes, length: number, optionsText: string): ArrayBuffer {
  const options = JSON.parse(optionsText) as Record<string, number>;
  const N = options['N'] ?? options['cost'] ?? 16384;
  const r = options['r'] ?? options['blockSize'] ?? 8;
  const p = options['p'] ?? options['parallelization'] ?? 1;
  checkScrypt({ password, salt, length }, { N, r, p });
  return exact(crypto.scryptSync(view(password), view(salt), length, { N, r, p, maxmem: 2 * 128 * N * r }));
}

type Pbkdf2 = [password: Bytes, salt: Bytes, iterations: number, length: number, digest: string];

function pbkdf2(...[password, salt, iterations, length, digest]: Pbkdf2): ArrayBuffer {
  checkPbkdf2({ password, salt, length }, iterations, digest);
  return exact(crypto.pbkdf2Sync(view(password), view(salt), iterations, length, digest));
}

type Hkdf = [digest: string, key: Bytes, salt: Bytes, info: Bytes, length: number];

function hkdf(...[digest, key, salt, info, length]: Hkdf): ArrayBuffer {
  checkHkdf({ password: key, salt, length }, info);
  return crypto.hkdfSync(digest, view(key), view(salt), view(info), length);
}

function random(count: number): ArrayBuffer {
  within('The count', count, randomBytesMax);
  return exact(crypto.randomBytes(count));
}

function hashed(name: string, data: Bytes | string, outputLength: number | null = null): ArrayBuffer {
  if (outputLength === null) return exact(crypto.createHash(name).update(view(data)).digest());
  within('The output length', outputLength, randomBytesMax);
  return exact(crypto.createHash(name, { outputLength }).update(view(data)).digest());
}

const operations: ReadonlyMap<unknown, Operation> = new Map<string, Operation>([
  ['hash', hashed],
  [
    'hmac',
    (name: string, key: Bytes | string, data: Bytes | string) =>
      exact(crypto.createHmac(name, view(key)).update(view(data)).digest()),
  ],
  ['random', random],
  ['key', keys.keyInfo],
  ['keyExport', keys.keyExport],
  ['keyPair', keys.keyPair],
  ['publicEncrypt', keys.publicEncrypt],
  ['privateDecrypt', keys.privateDecrypt],
  ['privateEncrypt', keys.privateEncrypt],
  ['publicDecrypt', keys.publicDecrypt],
  ['ecdhCheck', ecdhCheck],
  ['ecdhKeys', ecdhKeys],
  ['ecdhPublic', ecdhPublic],
  ['ecdhSecret', ecdhSecret],
  ['ecdhConvert', ecdhConvert],
  ['agreed', agreed],
  ['certificate', certificate],
  ['certificateAsked', certificateAsked],
  ['curves', () => JSON.stringify(crypto.getCurves())],
  [
    'cipherInfo',
    (name: string, asked: string) => JSON.stringify(crypto.getCipherInfo(name, JSON.parse(asked) as object) ?? null),
  ],
  [
    'sign',
    (name: string | null, data: Bytes, key: string) =>
      exact(crypto.sign(name, view(data), keys.keyFor('private', key))),
  ],
  [
    'verify',
    (name: string | null, data: Bytes, key: string, expected: Bytes) =>
      crypto.verify(name, view(data), keys.keyFor('public', key), view(expected)),
  ],
  ['cipherCheck', (...args: CipherArguments) => void cipherOf(args)],
  ['cipher', cipher],
  ['pbkdf2', pbkdf2],
  ['scrypt', scrypt],
  ['hkdf', hkdf],
  ['zlib', compressed],
  ['crc32', crc32],
  ['encodingNamed', encodingNamed],
  ['decode', decoded],
]);

/** Longer than every message of OpenSSL. */
const messageMax = 500;

/** Runs the operation `name`. Never throws. */
export function answer(name: unknown, ...args: unknown[]): Answer {
  const operation = operations.get(name);
  if (!operation) return ['This operation is not known'];
  try {
    within('The bytes of one operation', bytesOf(args), dataBytesMax);
    return [null, operation(...(args as never[]))];
  } catch (error) {
    const { message, code } = error as { message?: unknown; code?: unknown };
    const told = [
      String(message).slice(0, messageMax),
      undefined,
      typeof code === 'string' ? code : undefined,
    ] as const;
    const kind = error instanceof RangeError ? 'RangeError' : error instanceof TypeError ? 'TypeError' : undefined;
    return kind === undefined ? told : [...told, kind];
  }
}
