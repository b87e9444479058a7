// Encodes the body of a response: text, bytes, JSON, a Blob, a form, or a stream, which is read to its end.
import { Readable } from 'readable-stream';
import { LimitError, limits } from '../../core/guest-limits.ts';
import { isView, jsonStringify, objectToText, stringSlice, toText } from '../../core/primordials.ts';
import { utf8Length } from '../../core/text.ts';
import { viewOf } from '../../crypto/bytes.ts';
import { Blob, concatBytes, byteView } from '../../fetch/blob.ts';
import { Body as WebBody, extractBody } from '../../fetch/body.ts';
import { FormData } from '../../fetch/form-data.ts';
import { URLSearchParams } from '../../web/url.ts';

export interface Body {
  readonly text: string;
  readonly encoding: 'utf8' | 'base64';
  /** Size of the body before base64. */
  readonly bytes: number;
  /** The content type, unless the component sets one. */
  readonly type?: string;
}

type Stream = AsyncIterable<unknown>;

const utf8Body = (text: string): Body => ({ text, encoding: 'utf8', bytes: utf8Length(text) });

function bytesBody(value: unknown, type = 'application/octet-stream'): Body {
  const bytes = viewOf(value);
  return { text: bytes.toString('base64'), encoding: 'base64', bytes: bytes.length, type };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Accepts web streams, Node streams including old ones, and async generators; undefined: the value is none. */
export function streamOf(value: unknown): Stream | undefined {
  if (!isObject(value)) return undefined;
  if (Symbol.asyncIterator in value) return value as Stream;
  const oldStream = value as NodeJS.ReadableStream;
  return typeof oldStream.pipe === 'function' && typeof oldStream.on === 'function'
    ? new Readable().wrap(oldStream)
    : undefined;
}

export async function bodyOfStream(stream: Stream): Promise<Body> {
  const { responseBodyBytes } = limits();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of stream) {
    const view = typeof part === 'string' ? viewOf(part) : byteView(part);
    if (view === undefined) throw new TypeError('http.respond: a stream that is the body must give bytes or text');
    bytes += view.length;
    if (bytes > responseBodyBytes)
      throw new LimitError(`http.respond: the body has more than the ${responseBodyBytes} bytes that are allowed`);
    parts.push(view);
  }
  return bytesBody(concatBytes(parts));
}

/** Throws; if the body is an Error, that becomes the cause, so that it is not lost. */
function refuseBody(what: string, value: unknown): never {
  const message = `http.respond: the body is ${what}, which JSON does not carry: answer with text, bytes, a stream or a plain object`;
  throw new TypeError(message, what === 'Error' ? { cause: value } : {});
}

function jsonBody(value: object): Body {
  const text = jsonStringify(value) ?? '';
  const kind = stringSlice(objectToText(value), 8, -1);
  // A regular expression has always been sent as `{}`.
  const isEmpty = text === '{}' && kind !== 'Object' && kind !== 'RegExp';
  if (isEmpty || value instanceof WebBody) refuseBody(kind, value);
  return { ...utf8Body(text), type: 'application/json' };
}

export function bodyOf(value: unknown): Body {
  if (value === undefined || value === null) return utf8Body('');
  if (typeof value === 'function' || typeof value === 'symbol') refuseBody(`a ${typeof value}`, value);
  if (!isObject(value)) return utf8Body(toText(value));
  if (isView(value) || value instanceof ArrayBuffer) return bytesBody(value);
  if (value instanceof Blob || value instanceof FormData || value instanceof URLSearchParams) {
    const { source, type } = extractBody(value);
    return bytesBody(source, type ?? undefined);
  }
  return jsonBody(value);
}
