// Node's Buffer: the `buffer` package plus base64url, exact UTF-8 and Node's output of `inspect`.
import { Buffer } from 'buffer/index.js';
import { utf8Length } from '../core/text.ts';
import { addMethods, isAscii, isUtf8 as isWellFormed } from './buffer-additions.ts';
import { checkMethods } from './buffer-checks.ts';
import { decodeUtf8, encodeUtf8 } from './utf8.ts';

type Encoding = BufferEncoding | undefined;
interface Patchable {
  from: (value: unknown, encoding?: unknown, length?: unknown) => Buffer;
  byteLength: (value: unknown, encoding?: unknown) => number;
  isEncoding: (encoding: unknown) => boolean;
  prototype: {
    toString: (encoding?: unknown, start?: unknown, end?: unknown) => string;
    utf8Slice: (start: number, end: number) => string;
    write: (text: string, ...rest: unknown[]) => number;
    [symbol: symbol]: unknown;
  };
}

const isBase64Url = (encoding: unknown): boolean =>
  typeof encoding === 'string' && encoding.toLowerCase() === 'base64url';
const toPackageEncoding = (encoding: unknown): unknown => (isBase64Url(encoding) ? 'base64' : encoding);

const isUtf8 = (encoding: unknown): boolean => encoding === undefined || encoding === 'utf8' || encoding === 'utf-8';

function encode(text: string): Buffer {
  const buffer = Buffer.allocUnsafe(utf8Length(text));
  encodeUtf8(text, buffer);
  return buffer;
}

function patch(target: Patchable): void {
  const { from, byteLength, isEncoding } = target;
  const { toString, write } = target.prototype;
  // The package already decodes base64url's alphabet, but does not know the name.
  target.from = (value, encoding, length) => {
    if (typeof value !== 'string') return from(value, encoding, length);
    return isUtf8(encoding) ? encode(value) : from(value, toPackageEncoding(encoding));
  };
  target.byteLength = (value, encoding) =>
    typeof value === 'string' && isUtf8(encoding) ? utf8Length(value) : byteLength(value, toPackageEncoding(encoding));
  target.isEncoding = (encoding) => isBase64Url(encoding) || isEncoding(encoding);
  target.prototype.toString = function (this: Buffer, encoding?: unknown, start?: unknown, end?: unknown): string {
    if (isBase64Url(encoding)) {
      return toString.call(this, 'base64', start, end).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
    }
    if (isUtf8(encoding)) return decodeRange(this, start, end);
    if (encoding === null) throw new TypeError('Unknown encoding: null');
    return toString.call(this, encoding, start, end);
  };
  target.prototype.write = function (this: Buffer, text: string, ...rest: unknown[]): number {
    if (typeof text !== 'string') throw new TypeError('argument must be a string');
    return write.call(this, text, ...rest.map(toPackageEncoding));
  };
}

function decodeRange(buffer: Buffer, start: unknown, end: unknown): string {
  const from = Math.max(0, Math.trunc(Number(start ?? 0)) || 0);
  const to = Math.min(buffer.length, end === undefined ? buffer.length : Math.trunc(Number(end)) || 0);
  return to > from ? (decodeUtf8(buffer, { from, to }) ?? '') : '';
}

patch(Buffer as unknown as Patchable);
// By this name packages know a stand-in of Buffer: `@exodus/bytes`, and with it `jsdom`, refuses to load with one.
Reflect.deleteProperty(Buffer, 'TYPED_ARRAY_SUPPORT');
checkMethods(Buffer);
addMethods(Buffer);

/** Bytes of a Buffer that `inspect` shows before "… more bytes", as in Node. */
const shownMax = 50;
Object.defineProperty(Buffer.prototype, Symbol.for('nodejs.util.inspect.custom'), {
  configurable: true,
  writable: true,
  value(this: Buffer): string {
    const pairs = this.subarray(0, shownMax).toString('hex').match(/../g) ?? [];
    const hiddenBytes = this.length - shownMax;
    const more = hiddenBytes > 0 ? ` ... ${hiddenBytes} more byte${hiddenBytes === 1 ? '' : 's'}` : '';
    return `<Buffer ${pairs.join(' ')}${more}>`;
  },
});

export type { Encoding };
export { Buffer, isAscii, isWellFormed as isUtf8 };

/** Converts bytes of one encoding to another; characters that it lacks become `?`. */
export function transcode(source: Uint8Array, from: BufferEncoding, to: BufferEncoding): Buffer {
  const text = Buffer.from(source).toString(from);
  const unencodable = to === 'ascii' ? /[^\0-\x7f]/gu : /[^\0-\xff]/gu;
  return Buffer.from(to === 'ascii' || to === 'latin1' || to === 'binary' ? text.replace(unencodable, '?') : text, to);
}
/** The package has its own under this name; Node keeps the name for old code. */
export const SlowBuffer = Buffer;
export const kMaxLength = 2 ** 31 - 1;
export const constants = { MAX_LENGTH: kMaxLength, MAX_STRING_LENGTH: 2 ** 29 - 24 };
