// The cryptographic operations for guests, whose cost is checked before they begin. Errors are sent as text, because
// their stacks name files of the host.
import crypto from 'node:crypto';
import type { CipherGCM, DecipherGCM } from 'node:crypto';
import { hasAuthTag } from '../../wire.ts';
import { runZlib, crc32 } from './compression.ts';
import {
  bytesOf,
  checkCipher,
  checkHkdf,
  checkPbkdf2,
  checkScrypt,
  dataBytesMax,
  randomBytesMax,
  checkRange,
} from './costs.ts';
import { decodeText, encodingName } from './text-decoding.ts';
import { agreeOnSecret, ecdhCheck, ecdhConvert, ecdhKeys, ecdhPublic, ecdhSecret } from './keys/agreement.ts';
import * as keys from './keys/asymmetric-keys.ts';
import { certificate, queryCertificate } from './keys/certificates.ts';

type Bytes = ArrayBuffer;
/** `kind`: the name of the error's class, if it is a class of the language. */
export type OperationResult = readonly [
  message: string | null,
  result?: unknown,
  code?: string | undefined,
  kind?: ErrorKind,
];
type ErrorKind = 'RangeError' | 'TypeError';
type Operation = (...args: never[]) => unknown;

const toBuffer = (bytes: Bytes | string): Buffer =>
  typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes);
/** A copy of exactly these bytes, because a Buffer's memory can be a shared pool. */
const toArrayBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

interface CipherOptions {
  readonly tagBytes: number;
  readonly padding: boolean;
}

type CipherArguments = [direction: string, algorithm: string, key: Bytes, iv: Bytes | null];

function cipherOf(args: CipherArguments, tagBytes = 16): CipherGCM | DecipherGCM {
  const [direction, algorithm, key, iv] = args;
  const options = hasAuthTag(algorithm) ? { authTagLength: tagBytes } : undefined;
  const nonce = iv === null ? null : toBuffer(iv);
  const make = direction === 'encrypt' ? crypto.createCipheriv : crypto.createDecipheriv;
  return make(algorithm as 'aes-256-gcm', toBuffer(key), nonce as Buffer, options) as CipherGCM | DecipherGCM;
}

function cipher(...args: [string, string, Bytes, Bytes | null, Bytes, Bytes | null, Bytes | null, string]): unknown {
  const [direction, algorithm, key, iv, data, aad, tag, optionsText] = args;
  checkCipher(algorithm, bytesOf(args));
  const cipherOptions = JSON.parse(optionsText) as CipherOptions;
  const cipherInstance = cipherOf([direction, algorithm, key, iv], cipherOptions.tagBytes);
  if (!cipherOptions.padding) cipherInstance.setAutoPadding(false);
  if (aad) cipherInstance.setAAD(toBuffer(aad), { plaintextLength: data.byteLength });
  if (tag && direction === 'decrypt') (cipherInstance as DecipherGCM).setAuthTag(toBuffer(tag));
  const bytes = Buffer.concat([cipherInstance.update(toBuffer(data)), cipherInstance.final()]);
  const authTag =
    direction === 'encrypt' && hasAuthTag(algorithm) ? toArrayBuffer((cipherInstance as CipherGCM).getAuthTag()) : null;
  return [toArrayBuffer(bytes), authTag];
}

function scrypt(password: Bytes, salt: Bytes, length: number, optionsText: string): ArrayBuffer {
  const options = JSON.parse(optionsText) as Record<string, number>;
  const N = options['N'] ?? options['cost'] ?? 16384;
  const r = options['r'] ?? options['blockSize'] ?? 8;
  const p = options['p'] ?? options['parallelization'] ?? 1;
  checkScrypt({ password, salt, length }, { N, r, p });
  return toArrayBuffer(
    crypto.scryptSync(toBuffer(password), toBuffer(salt), length, { N, r, p, maxmem: 2 * 128 * N * r }),
  );
}

type Pbkdf2 = [password: Bytes, salt: Bytes, iterations: number, length: number, digest: string];

function pbkdf2(...[password, salt, iterations, length, digest]: Pbkdf2): ArrayBuffer {
  checkPbkdf2({ password, salt, length }, iterations, digest);
  return toArrayBuffer(crypto.pbkdf2Sync(toBuffer(password), toBuffer(salt), iterations, length, digest));
}

type Hkdf = [digest: string, key: Bytes, salt: Bytes, info: Bytes, length: number];

function hkdf(...[digest, key, salt, info, length]: Hkdf): ArrayBuffer {
  checkHkdf({ password: key, salt, length }, info);
  return crypto.hkdfSync(digest, toBuffer(key), toBuffer(salt), toBuffer(info), length);
}

function randomBytes(count: number): ArrayBuffer {
  checkRange('The count', count, randomBytesMax);
  return toArrayBuffer(crypto.randomBytes(count));
}

function hash(name: string, data: Bytes | string, outputLength: number | null = null): ArrayBuffer {
  if (outputLength === null) return toArrayBuffer(crypto.createHash(name).update(toBuffer(data)).digest());
  checkRange('The output length', outputLength, randomBytesMax);
  return toArrayBuffer(crypto.createHash(name, { outputLength }).update(toBuffer(data)).digest());
}

const operations: ReadonlyMap<unknown, Operation> = new Map<string, Operation>([
  ['hash', hash],
  [
    'hmac',
    (name: string, key: Bytes | string, data: Bytes | string) =>
      toArrayBuffer(crypto.createHmac(name, toBuffer(key)).update(toBuffer(data)).digest()),
  ],
  ['random', randomBytes],
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
  ['agreed', agreeOnSecret],
  ['certificate', certificate],
  ['certificateAsked', queryCertificate],
  ['curves', () => JSON.stringify(crypto.getCurves())],
  [
    'cipherInfo',
    (name: string, optionsText: string) =>
      JSON.stringify(crypto.getCipherInfo(name, JSON.parse(optionsText) as object) ?? null),
  ],
  [
    'sign',
    (name: string | null, data: Bytes, key: string) =>
      toArrayBuffer(crypto.sign(name, toBuffer(data), keys.keyFor('private', key))),
  ],
  [
    'verify',
    (name: string | null, data: Bytes, key: string, expected: Bytes) =>
      crypto.verify(name, toBuffer(data), keys.keyFor('public', key), toBuffer(expected)),
  ],
  ['cipherCheck', (...args: CipherArguments) => void cipherOf(args)],
  ['cipher', cipher],
  ['pbkdf2', pbkdf2],
  ['scrypt', scrypt],
  ['hkdf', hkdf],
  ['zlib', runZlib],
  ['crc32', crc32],
  ['encodingNamed', encodingName],
  ['decode', decodeText],
]);

/** Longer than every message of OpenSSL. */
const messageMax = 500;

/** Runs the operation `name`. Never throws. */
export function runOperation(name: unknown, ...args: unknown[]): OperationResult {
  const operation = operations.get(name);
  if (!operation) return ['This operation is not known'];
  try {
    checkRange('The bytes of one operation', bytesOf(args), dataBytesMax);
    return [null, operation(...(args as never[]))];
  } catch (error) {
    const { message, code } = error as { message?: unknown; code?: unknown };
    const failure = [
      String(message).slice(0, messageMax),
      undefined,
      typeof code === 'string' ? code : undefined,
    ] as const;
    const kind = error instanceof RangeError ? 'RangeError' : error instanceof TypeError ? 'TypeError' : undefined;
    return kind === undefined ? failure : [...failure, kind];
  }
}
