// Random bytes of the host, fetched a page at a time because a call costs more than the bytes.
import { Buffer } from '../encoding/buffer.ts';
import { askBytes, viewOf } from './bytes.ts';

const pageBytes = 4096;
/** More bytes in one call would block the host for too long. */
const requestBytesMax = 1024 * 1024;

let page: Buffer = Buffer.alloc(0);
let used = 0;

const wrongType = (name: string, wanted: string): TypeError =>
  Object.assign(new TypeError(`The "${name}" argument must be ${wanted}`), { code: 'ERR_INVALID_ARG_TYPE' });

function random(size: number): Buffer {
  if (typeof size !== 'number') throw wrongType('size', 'of type number');
  if (!(size >= 0 && size <= 2 ** 31 - 1)) {
    throw Object.assign(
      new RangeError(`The value of "size" is out of range. It must be >= 0 && <= 2147483647. Received ${size}`),
      { code: 'ERR_OUT_OF_RANGE' },
    );
  }
  const count = Math.trunc(size);
  if (count > pageBytes / 4) return large(count);
  if (used + count > page.length) {
    page = askBytes('random', pageBytes);
    used = 0;
  }
  const bytes = Buffer.from(page.subarray(used, used + count));
  page.fill(0, used, used + count);
  used += count;
  return bytes;
}

function large(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at < count; at += requestBytesMax) {
    bytes.set(askBytes('random', Math.min(requestBytesMax, count - at)), at);
  }
  return bytes;
}

type Callback<T> = (error: null, value: T) => void;

/** Calls the callback, if there is one, in a later turn, as in Node; otherwise returns the value. */
function answered<T>(value: T, callback?: Callback<T>): T | undefined {
  if (!callback) return value;
  void Promise.resolve().then(() => callback(null, value));
  return undefined;
}

export const randomBytes = (size: number, callback?: Callback<Buffer>): Buffer | undefined =>
  answered(random(size), callback);

export function randomFillSync<T extends ArrayBufferView | ArrayBuffer>(target: T, offset = 0, size?: number): T {
  if (typeof target === 'string') throw wrongType('buf', 'an instance of ArrayBuffer or ArrayBufferView');
  const view = viewOf(target, undefined, 'buf');
  const count = size ?? view.length - offset;
  view.set(random(count), offset);
  return target;
}

export function randomFill<T extends ArrayBufferView>(target: T, ...rest: unknown[]): void {
  const callback = rest.pop() as Callback<T>;
  const [offset, size] = rest as [number?, number?];
  answered(randomFillSync(target, offset, size), callback);
}

export function randomInt(
  low: number,
  high?: number | Callback<number>,
  callback?: Callback<number>,
): number | undefined {
  if (typeof high !== 'number') return randomInt(0, typeof low === 'number' ? low : NaN, high);
  const range = high - low;
  if (!Number.isSafeInteger(low)) throw wrongType('min', 'a safe integer');
  if (!Number.isSafeInteger(high)) throw wrongType('max', 'a safe integer');
  if (range <= 0 || range > 2 ** 48 - 1) {
    throw Object.assign(new RangeError('The value of "max" is out of range'), { code: 'ERR_OUT_OF_RANGE' });
  }
  // Rejects values above the last whole multiple of the range, which would make small results more likely.
  const limit = 2 ** 48 - (2 ** 48 % range);
  let value = limit;
  while (value >= limit) value = random(6).readUIntBE(0, 6);
  return answered(low + (value % range), callback);
}

export function randomUUID(): string {
  const bytes = random(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
