// Adds to the `buffer` package what Node checks in addition: error codes, offsets of numbers, and Uint8Array arguments.
import type { Buffer } from 'buffer/index.js';

type Method = (this: unknown, ...args: unknown[]) => unknown;
export type Methods = Record<string, Method | undefined>;
type Bytes = InstanceType<typeof Buffer>;

const errorWithCode = (error: Error, code: string): Error => Object.assign(error, { code });

function codeOf({ message }: Error, isType: boolean): string {
  if (/unknown encoding/i.test(message)) return 'ERR_UNKNOWN_ENCODING';
  if (message.includes('outside of buffer bounds')) return 'ERR_BUFFER_OUT_OF_BOUNDS';
  if (message.includes('must be a multiple of')) return 'ERR_INVALID_BUFFER_SIZE';
  if (/is invalid for argument/.test(message)) return 'ERR_INVALID_ARG_VALUE';
  return isType ? 'ERR_INVALID_ARG_TYPE' : 'ERR_OUT_OF_RANGE';
}

function addNodeCode(error: unknown): unknown {
  const isType = error instanceof TypeError;
  if (!isType && !(error instanceof RangeError)) return error;
  return 'code' in error ? error : errorWithCode(error, codeOf(error, isType));
}

/** The same method, but its errors have Node's codes. */
function wrapWithCodes(method: Method): Method {
  return function (this: unknown, ...args) {
    try {
      return method.apply(this, args);
    } catch (error) {
      throw addNodeCode(error);
    }
  };
}

const outOfRange = (name: string, expected: string, value: unknown): Error =>
  errorWithCode(
    new RangeError(`The value of "${name}" is out of range. It must be ${expected}. Received ${String(value)}`),
    'ERR_OUT_OF_RANGE',
  );

function checkInteger(name: string, value: unknown): void {
  if (typeof value !== 'number')
    throw errorWithCode(new TypeError(`The "${name}" argument must be of type number`), 'ERR_INVALID_ARG_TYPE');
  if (!Number.isInteger(value)) throw outOfRange(name, 'an integer', value);
}

const sizedBytesMax = 6;

function checkSize(size: unknown): void {
  checkInteger('byteLength', size);
  if (Number(size) < 1 || Number(size) > sizedBytesMax)
    throw outOfRange('byteLength', `>= 1 and <= ${sizedBytesMax}`, size);
}

/** Methods that read or write numbers: the offset is 0 by default; `byteLength`, if the method has it, is required. */
function numberMethod(name: string, method: Method): Method {
  const at = name.startsWith('write') ? 1 : 0;
  const hasByteLength = /^(?:read|write)U?[iI]nt[LB]E$/.test(name);
  // Single parameters, because a rest parameter would make every read of a number slow.
  return function (this: unknown, a, b, c) {
    const offset = at === 0 ? a : b;
    if (offset !== undefined || hasByteLength) checkInteger('offset', offset);
    if (hasByteLength) checkSize(at === 0 ? b : c);
    try {
      return hasByteLength ? method.call(this, a, b, c) : method.call(this, a, b);
    } catch (error) {
      throw addNodeCode(error);
    }
  };
}

const numberMethodName = /^(?:read|write)(?:U?[iI]nt|BigU?Int|Float|Double)/;
const otherMethods = ['fill', 'copy', 'compare', 'equals', 'swap16', 'swap32', 'swap64', 'toString', 'write'];
const searchMethods = ['indexOf', 'lastIndexOf', 'includes'];

const isPlainBytes = (value: unknown, bufferClass: typeof Buffer): value is Uint8Array =>
  value instanceof Uint8Array && !bufferClass.isBuffer(value);

/** Accepts any Uint8Array where the package accepts only Buffers. */
function acceptBytes(bufferClass: typeof Buffer, method: Method): Method {
  return function (this: unknown, value, ...rest) {
    const buffer = isPlainBytes(value, bufferClass)
      ? bufferClass.from(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength)
      : value;
    return method.call(this, buffer, ...rest);
  };
}

const isEmpty = (value: unknown): boolean => value === '' || (value instanceof Uint8Array && value.length === 0);

/** The index at which an empty value is found: where the search begins, by default 0, or the end for `lastIndexOf`. */
function indexOfEmpty(this: Bytes, isLast: boolean, from: unknown): number {
  const start =
    from === undefined || Number.isNaN(Number(from)) ? (isLast ? this.length : 0) : Math.trunc(Number(from));
  return Math.min(this.length, start < 0 ? Math.max(0, this.length + start) : start);
}

function searchMethod(bufferClass: typeof Buffer, name: string, method: Method): Method {
  const search = wrapWithCodes(acceptBytes(bufferClass, method));
  return function (this: unknown, value, from, encoding) {
    if (!isEmpty(value)) return search.call(this, value, from, encoding);
    const at = indexOfEmpty.call(this as Bytes, name === 'lastIndexOf', typeof from === 'string' ? undefined : from);
    return name === 'includes' ? true : at;
  };
}

/** Replaces the methods of the package by checked ones. */
export function checkMethods(bufferClass: typeof Buffer): void {
  const prototype = bufferClass.prototype as unknown as Methods;
  const replace = (name: string, make: (method: Method) => Method): void => {
    const method = prototype[name];
    if (method !== undefined) prototype[name] = make(method);
  };
  for (const name of Object.keys(prototype))
    if (numberMethodName.test(name)) replace(name, (method) => numberMethod(name, method));
  for (const name of ['equals', 'copy']) replace(name, (method) => acceptBytes(bufferClass, method));
  for (const name of otherMethods) replace(name, wrapWithCodes);
  for (const name of searchMethods) replace(name, (method) => searchMethod(bufferClass, name, method));
  const statics = bufferClass as unknown as Methods;
  for (const name of ['from', 'alloc', 'allocUnsafe', 'allocUnsafeSlow', 'concat', 'compare', 'byteLength']) {
    const method = statics[name];
    if (method !== undefined) statics[name] = wrapWithCodes(method);
  }
}
