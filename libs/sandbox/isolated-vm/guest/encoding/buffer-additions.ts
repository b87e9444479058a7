// Adds what Node's Buffer has and the `buffer` package does not: method aliases, and functions next to the class.
import type { Buffer } from 'buffer/index.js';
import { decodeUtf8 } from './utf8.ts';

type BufferClass = typeof Buffer;
type Bytes = InstanceType<BufferClass>;

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
function encodingMethods(): Record<string, unknown> {
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

function copyBytesFrom(bufferClass: BufferClass, view: unknown, offset = 0, length?: number): Bytes {
  if (!ArrayBuffer.isView(view) || view instanceof DataView)
    throw Object.assign(new TypeError('The "view" argument must be an instance of TypedArray'), {
      code: 'ERR_INVALID_ARG_TYPE',
    });
  const part = (view as Uint8Array).subarray(offset, length === undefined ? undefined : offset + length);
  return bufferClass.from(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
}

export function addMethods(bufferClass: BufferClass): void {
  const prototype = bufferClass.prototype as unknown as Record<string, unknown>;
  Object.assign(prototype, encodingMethods());
  for (const name of bigNumbers) prototype[name.replace('UInt', 'Uint')] = prototype[name];
  Object.assign(bufferClass, {
    copyBytesFrom: (view: unknown, offset?: number, length?: number) =>
      copyBytesFrom(bufferClass, view, offset, length),
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
