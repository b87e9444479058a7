// Adds to the `buffer` package what Node checks in addition: error codes, offsets of numbers, and Uint8Array arguments.
import type { Buffer } from 'buffer/index.js';

type Method = (this: unknown, ...args: unknown[]) => unknown;
export type Methods = Record<string, Method | undefined>;
type Bytes = InstanceType<typeof Buffer>;

const coded = (error: Error, code: string): Error => Object.assign(error, { code });

function codeOf({ message }: Error, isType: boolean): string {
  if (/unknown encoding/i.test(message)) return 'ERR_UNKNOWN_ENCODING';
  if (message.includes('outside of buffer bounds')) return 'ERR_BUFFER_OUT_OF_BOUNDS';
  if (message.includes('must be a multiple of')) return 'ERR_INVALID_BUFFER_SIZE';
  if (/is invalid for argument/.test(message)) return 'ERR_INVALID_ARG_VALUE';
  return isType ? 'ERR_INVALID_ARG_TYPE' : 'ERR_OUT_OF_RANGE';
}

function withCode(error: unknown): unknown {
  const isType = error instanceof TypeError;
  if (!isType && !(error instanceof RangeError)) return error;
  return 'code' in error ? error : coded(error, codeOf(error, isType));
}

/** The same method, but its errors have Node's codes. */
function codedMethod(method: Method): Method {
  return function (this: unknown, ...args) {
    try {
      return method.apply(this, args);
    } catch (error) {
      throw withCode(error);
    }
  };
}

const outOfRange = (name: string, wanted: string, value: unknown): Error =>
  coded(
    new RangeError(`The value of "${name}" is out of range. It must be ${wanted}. Received ${String(value)}`),
    'ERR_OUT_OF_RANGE',
  );

function checkInteger(name: string, value: unknown): void {
  if (typeof value !== 'number')
    throw coded(new TypeError(`The "${name}" argument must be of type number`), 'ERR_INVALID_ARG_TYPE');
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
  const isSized = /^(?:read|write)U?[iI]nt[LB]E$/.test(name);
  // Single parameters, because a rest parameter would make every read of a number slow.
  return function (this: unknown, a, b, c) {
    const offset = at === 0 ? a : b;
    if (offset !== undefined || isSized) checkInteger('offset', offset);
    if (isSized) checkSize(at === 0 ? b : c);
    try {
      return isSized ? method.call(this, a, b, c) : method.call(this, a, b);
    } catch (error) {
      throw withCode(error);
    }
  };
}

const ofNumbers = /^(?:read|write)(?:U?[iI]nt|BigU?Int|Float|Double)/;
const others = ['fill', 'copy', 'compare', 'equals', 'swap16', 'swap32', 'swap64', 'toString', 'write'];
const searches = ['indexOf', 'lastIndexOf', 'includes'];

const isForeign = (value: unknown, own: typeof Buffer): value is Uint8Array =>
  value instanceof Uint8Array && !own.isBuffer(value);

/** Accepts any Uint8Array where the package accepts only Buffers. */
function withBytes(own: typeof Buffer, method: Method): Method {
  return function (this: unknown, value, ...rest) {
    const known = isForeign(value, own)
      ? own.from(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength)
      : value;
    return method.call(this, known, ...rest);
  };
}

const isEmpty = (value: unknown): boolean => value === '' || (value instanceof Uint8Array && value.length === 0);

/** The index at which an empty value is found: where the search begins, by default 0, or the end for `lastIndexOf`. */
function whereEmpty(this: Bytes, isLast: boolean, from: unknown): number {
  const wanted =
    from === undefined || Number.isNaN(Number(from)) ? (isLast ? this.length : 0) : Math.trunc(Number(from));
  return Math.min(this.length, wanted < 0 ? Math.max(0, this.length + wanted) : wanted);
}

function searchMethod(own: typeof Buffer, name: string, method: Method): Method {
  const search = codedMethod(withBytes(own, method));
  return function (this: unknown, value, from, encoding) {
    if (!isEmpty(value)) return search.call(this, value, from, encoding);
    const at = whereEmpty.call(this as Bytes, name === 'lastIndexOf', typeof from === 'string' ? undefined : from);
    return name === 'includes' ? true : at;
  };
}

/** Replaces the methods of the package by checked ones. */
export function checkMethods(own: typeof Buffer): void {
  const prototype = own.prototype as unknown as Methods;
  const replace = (name: string, make: (method: Method) => Method): void => {
    const method = prototype[name];
    if (method !== undefined) prototype[name] = make(method);
  };
  for (const name of Object.keys(prototype))
    if (ofNumbers.test(name)) replace(name, (method) => numberMethod(name, method));
  for (const name of ['equals', 'copy']) replace(name, (method) => withBytes(own, method));
  for (const name of others) replace(name, codedMethod);
  for (const name of searches) replace(name, (method) => searchMethod(own, name, method));
  const statics = own as unknown as Methods;
  for (const name of ['from', 'alloc', 'allocUnsafe', 'allocUnsafeSlow', 'concat', 'compare', 'byteLength']) {
    const method = statics[name];
    if (method !== undefined) statics[name] = codedMethod(method);
  }
}
