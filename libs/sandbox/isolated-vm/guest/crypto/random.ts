// Random bytes of the host, fetched a page at a time because a call costs more than the bytes.
import { Buffer } from '../encoding/buffer.ts';
import { askBytes, viewOf } from './bytes.ts';

const pageBytes = 4096;
/** More bytes in one call would block the host for too long. */
const requestBytesMax = 1024 * 1024;

let page: Buffer = Buffer.alloc(0);
let usedBytes = 0;

const wrongTypeError = (name: string, wanted: string): TypeError =>
  Object.assign(new TypeError(`The "${name}" argument must be ${wanted}`), { code: 'ERR_INVALID_ARG_TYPE' });

function takeRandom(size: number): Buffer {
  if (typeof size !== 'number') throw wrongTypeError('size', 'of type number');
  if (!(size >= 0 && size <= 2 ** 31 - 1)) {
    throw Object.assign(
      new RangeError(`The value of "size" is out of range. It must be >= 0 && <= 2147483647. Received ${size}`),
      { code: 'ERR_OUT_OF_RANGE' },
    );
  }
  const count = Math.trunc(size);
  if (count > pageBytes / 4) return fetchLarge(count);
  if (usedBytes + count > page.length) {
    page = askBytes('random', pageBytes);
    usedBytes = 0;
  }
  const bytes = Buffer.from(page.subarray(usedBytes, usedBytes + count));
  page.fill(0, usedBytes, usedBytes + count);
  usedBytes += count;
  return bytes;
}

function fetchLarge(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at < count; at += requestBytesMax) {
    bytes.set(askBytes('random', Math.min(requestBytesMax, count - at)), at);
  }
  return bytes;
}

type Callback<T> = (error: null, value: T) => void;

/** Calls the callback, if there is one, in a later turn, as in Node; otherwise returns the value. */
function returnOrCallBack<T>(value: T, callback?: Callback<T>): T | undefined {
  if (!callback) return value;
  void Promise.resolve().then(() => callback(null, value));
  return undefined;
}

export const randomBytes = (size: number, callback?: Callback<Buffer>): Buffer | undefined =>
  returnOrCallBack(takeRandom(size), callback);

export function randomFillSync<T extends ArrayBufferView | ArrayBuffer>(target: T, offset = 0, size?: number): T {
  if (typeof target === 'string') throw wrongTypeError('buf', 'an instance of ArrayBuffer or ArrayBufferView');
  const view = viewOf(target, undefined, 'buf');
  const count = size ?? view.length - offset;
  view.set(takeRandom(count), offset);
  return target;
}

export function randomFill<T extends ArrayBufferView>(target: T, ...rest: unknown[]): void {
  const callback = rest.pop() as Callback<T>;
  const [offset, size] = rest as [number?, number?];
  returnOrCallBack(randomFillSync(target, offset, size), callback);
}

export function randomInt(
  low: number,
  high?: number | Callback<number>,
  callback?: Callback<number>,
): number | undefined {
  if (typeof high !== 'number') return randomInt(0, typeof low === 'number' ? low : NaN, high);
  const range = high - low;
  if (!Number.isSafeInteger(low)) throw wrongTypeError('min', 'a safe integer');
  if (!Number.isSafeInteger(high)) throw wrongTypeError('max', 'a safe integer');
  if (range <= 0 || range > 2 ** 48 - 1) {
    throw Object.assign(new RangeError('The value of "max" is out of range'), { code: 'ERR_OUT_OF_RANGE' });
  }
  // Rejects values above the last whole multiple of the range, which would make small results more likely.
  const limit = 2 ** 48 - (2 ** 48 % range);
  let value = limit;
  while (value >= limit) value = takeRandom(6).readUIntBE(0, 6);
  return returnOrCallBack(low + (value % range), callback);
}

export function randomUUID(): string {
  const bytes = takeRandom(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
