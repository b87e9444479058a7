// Adds what Node's Buffer has and the `buffer` package does not: method aliases, and functions next to the class.
import type { Buffer } from 'buffer/index.js';
import { decodeUtf8 } from './utf8.ts';

type Own = typeof Buffer;
type Bytes = InstanceType<Own>;

const encodings = {
  ascii: 'ascii',
  base64: 'base64',
  base64url: 'base64url',
  hex: 'hex',
  latin1: 'latin1',
  ucs2: 'ucs2',
  utf8: 'utf8',
} as const;

/** `hexSlice(from, to)`, `hexWrite(text, from, length)` and the like, which fast parsers call. */
function byEncoding(): Record<string, unknown> {
  const methods: Record<string, unknown> = {};
  for (const [name, encoding] of Object.entries(encodings)) {
    methods[`${name}Slice`] = function (this: Bytes, from?: number, to?: number): string {
      return this.toString(encoding, from, to);
    };
    methods[`${name}Write`] = function (this: Bytes, text: string, from = 0, length = this.length - from): number {
      return this.write(text, from, length, encoding);
    };
  }
  return methods;
}

const bigNumbers = ['readBigUInt64LE', 'readBigUInt64BE', 'writeBigUInt64LE', 'writeBigUInt64BE'] as const;

function copyBytesFrom(own: Own, view: unknown, offset = 0, length?: number): Bytes {
  if (!ArrayBuffer.isView(view) || view instanceof DataView)
    throw Object.assign(new TypeError('The "view" argument must be an instance of TypedArray'), {
      code: 'ERR_INVALID_ARG_TYPE',
    });
  const part = (view as Uint8Array).subarray(offset, length === undefined ? undefined : offset + length);
  return own.from(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
}

export function addMethods(own: Own): void {
  const prototype = own.prototype as unknown as Record<string, unknown>;
  Object.assign(prototype, byEncoding());
  for (const name of bigNumbers) prototype[name.replace('UInt', 'Uint')] = prototype[name];
  Object.assign(own, {
    copyBytesFrom: (view: unknown, offset?: number, length?: number) => copyBytesFrom(own, view, offset, length),
  });
}

const bytesOf = (value: unknown): Uint8Array => {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  const message = 'The "input" argument must be an instance of ArrayBuffer, Buffer, or TypedArray';
  throw Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
};

export const isUtf8 = (value: unknown): boolean => {
  const bytes = bytesOf(value);
  return decodeUtf8(bytes, { from: 0, to: bytes.length }, true) !== undefined;
};

export const isAscii = (value: unknown): boolean => bytesOf(value).every((byte) => byte < 0x80);
