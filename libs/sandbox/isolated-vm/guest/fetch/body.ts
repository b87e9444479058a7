// The base of Request and Response: a body in any of the web's forms, which can be read once, whole or as a stream.
import { ReadableStream } from 'web-streams-polyfill';
import { TextDecoder, TextEncoder } from '../encoding/text-encoding.ts';
import { URLSearchParams } from '../web/url.ts';
import { Blob, concatBytes, byteView } from './blob.ts';
import { FormData, encodeMultipart, parseForm } from './form-data.ts';
import type { Headers } from './headers.ts';

export type ByteStream = ReadableStream<Uint8Array>;
type BodySource = Uint8Array | ByteStream | null;

export interface ExtractedBody {
  readonly source: BodySource;
  /** The content type, unless the headers set one. */
  readonly type: string | null;
}

const textBody = (value: string, type: string): ExtractedBody => ({ source: new TextEncoder().encode(value), type });

function streamOf(value: object): ByteStream | undefined {
  if (value instanceof ReadableStream) return value as ByteStream;
  if (Symbol.asyncIterator in value) return ReadableStream.from(value as AsyncIterable<Uint8Array>);
  return undefined;
}

/** Bytes are copied, because the value might change before it is sent. */
export function extractBody(value: unknown): ExtractedBody {
  if (value === undefined || value === null) return { source: null, type: null };
  if (value instanceof URLSearchParams)
    return textBody(String(value), 'application/x-www-form-urlencoded;charset=UTF-8');
  if (value instanceof FormData) {
    const { bytes, type } = encodeMultipart(value);
    return { source: bytes, type };
  }
  if (value instanceof Blob) return { source: Blob.bytesOf(value), type: value.type || null };
  const view = byteView(value);
  if (view !== undefined) return { source: view.slice(), type: null };
  const stream = typeof value === 'object' ? streamOf(value) : undefined;
  return stream === undefined ? textBody(String(value), 'text/plain;charset=UTF-8') : { source: stream, type: null };
}

async function readAll(stream: ByteStream): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  for await (const chunk of stream as AsyncIterable<unknown>) {
    const part = typeof chunk === 'string' ? encoder.encode(chunk) : byteView(chunk);
    if (part === undefined) throw new TypeError('A stream that is a body must give bytes');
    parts.push(part);
  }
  return concatBytes(parts);
}

/** Whether the stream was read from or cancelled; the package has this in a field of its own. */
const isDisturbed = (stream: ByteStream | undefined): boolean =>
  (stream as { readonly _disturbed?: boolean } | undefined)?._disturbed === true;

const unusableError = (): TypeError => new TypeError('Body is unusable: Body has already been read');

export abstract class Body {
  abstract readonly headers: Headers;
  #source: BodySource = null;
  #stream: ByteStream | undefined;
  #isRead = false;

  protected static give(body: Body, value: unknown): string | null {
    const { source, type } = extractBody(value);
    body.#source = source;
    return type;
  }

  /** Splits an unread body into two. */
  protected static share(body: Body): BodySource {
    if (body.bodyUsed || body.#stream?.locked === true) throw unusableError();
    if (body.#source === null || body.#source instanceof Uint8Array) return body.#source;
    const [one, other] = body.#source.tee();
    body.#source = one;
    body.#stream = undefined;
    return other;
  }

  /** Reads the body, which cannot be read again; undefined: there is none. */
  protected static async take(body: Body): Promise<Uint8Array | undefined> {
    return body.#source === null ? undefined : await body.#read();
  }

  get body(): ByteStream | null {
    const source = this.#source;
    if (source === null) return null;
    this.#stream ??= source instanceof Uint8Array ? new Blob([source]).stream() : source;
    return this.#stream;
  }

  get bodyUsed(): boolean {
    return this.#isRead || isDisturbed(this.#stream);
  }

  async bytes(): Promise<Uint8Array> {
    return await this.#read();
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(await this.#read()).buffer;
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.#read());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async blob(): Promise<Blob> {
    return new Blob([await this.#read()], { type: this.headers.get('content-type') ?? '' });
  }

  async formData(): Promise<FormData> {
    const type = this.headers.get('content-type') ?? '';
    if (/^multipart\/form-data/i.test(type)) return parseForm(await this.#read(), type);
    if (!/^application\/x-www-form-urlencoded/i.test(type))
      throw new TypeError(
        'Only bodies of multipart/form-data and application/x-www-form-urlencoded can be read as FormData',
      );
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(await this.text())) form.append(name, value);
    return form;
  }

  async #read(): Promise<Uint8Array> {
    const source = this.#source;
    if (this.bodyUsed || this.#stream?.locked === true) throw unusableError();
    if (source === null) return new Uint8Array(0);
    this.#isRead = true;
    return source instanceof Uint8Array ? source : await readAll(source);
  }
}
