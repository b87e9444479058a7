// Converts the data that Node's crypto accepts into what is sent to the host: exactly those bytes, not their pool.
import { ask } from '../core/bridge.ts';
import type { Argument } from '../core/bridge.ts';
import { Buffer } from '../encoding/buffer.ts';

export type Data = string | ArrayBufferView | ArrayBuffer;

export function typeError(name: string, value: unknown): TypeError {
  const received = value === null || value === undefined ? String(value) : `type ${typeof value}`;
  const message = `The "${name}" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received ${received}`;
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
}

/** A view of the data; text is encoded first. */
export function viewOf(data: unknown, encoding?: BufferEncoding, name = 'data'): Buffer {
  if (typeof data === 'string') return Buffer.from(data, encoding);
  if (ArrayBuffer.isView(data)) return Buffer.from(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return Buffer.from(data);
  throw typeError(name, data);
}

/** The same for web APIs, which do not accept text. */
export function sourceOf(data: unknown, name = 'data'): Buffer {
  if (typeof data === 'string') {
    const message = `The "${name}" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.`;
    throw Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  return viewOf(data, undefined, name);
}

/** A copy in an ArrayBuffer of its own size. */
export const toArrayBuffer = (view: Uint8Array): ArrayBuffer => new Uint8Array(view).buffer;

export const encode = (bytes: Buffer, encoding?: string): Buffer | string =>
  encoding === undefined || encoding === 'buffer' ? bytes : bytes.toString(encoding as BufferEncoding);

/** Sends one synchronous request to the host, whose answer is bytes. */
export const askBytes = (name: string, ...args: readonly Argument[]): Buffer =>
  Buffer.from(ask(name, ...args) as ArrayBuffer);

/** Concatenates the data of many updates. */
export function concatBuffers(parts: readonly Buffer[]): Buffer {
  const [first] = parts;
  return parts.length === 1 && first ? first : Buffer.concat([...parts]);
}
