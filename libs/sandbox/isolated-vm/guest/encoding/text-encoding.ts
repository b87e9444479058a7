// TextEncoder and TextDecoder, which V8 does not have. UTF-8, UTF-16LE and Latin-1 are decoded here, other encodings by
// the host.
import { ask } from '../core/bridge.ts';
import { utf8Length } from '../core/text.ts';
import { completeEnd, decodeUtf8, encodeUtf8 } from './utf8.ts';

export class TextEncoder {
  get encoding(): 'utf-8' {
    return 'utf-8';
  }
  encode(input: unknown = ''): Uint8Array {
    const text = String(input);
    const bytes = new Uint8Array(utf8Length(text));
    encodeUtf8(text, bytes);
    return bytes;
  }
  encodeInto(source: unknown, destination: Uint8Array): { read: number; written: number } {
    const { units, bytes } = encodeUtf8(String(source), destination);
    return { read: units, written: bytes };
  }
}

const labels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'utf-8': ['utf-8', 'utf8', 'unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'x-unicode20utf8'],
    'utf-16le': ['utf-16le', 'utf-16', 'ucs-2', 'unicode', 'iso-10646-ucs-2', 'csunicode', 'unicodefeff'],
    'windows-1252': ['windows-1252', 'latin1', 'iso-8859-1', 'iso8859-1', 'ascii', 'us-ascii', 'l1', 'cp1252'],
  }).flatMap(([name, list]) => list.map((label): [string, string] => [label, name])),
);

/** The characters 0x80 to 0x9f of windows-1252, which are control characters in Latin-1. */
const windows1252High =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

const invalidDataError = (encoding: string): TypeError =>
  Object.assign(new TypeError(`The encoded data was not valid for encoding ${encoding}`), {
    code: 'ERR_ENCODING_INVALID_ENCODED_DATA',
  });

/** At least as long as any label of an encoding. */
const labelUnitsMax = 64;

/** The encoding's name in the standard; undefined if there is no such encoding. */
function encodingOf(label: string): string | undefined {
  if (label.length > labelUnitsMax) return undefined;
  const known = labels.get(label);
  if (known !== undefined) return known;
  try {
    return ask('encodingNamed', label) as string;
  } catch {
    return undefined;
  }
}

function bytesOf(input: unknown): Uint8Array {
  if (input === undefined) return new Uint8Array(0);
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  throw Object.assign(new TypeError('The "list" argument must be an instance of ArrayBuffer or ArrayBufferView.'), {
    code: 'ERR_INVALID_ARG_TYPE',
  });
}

/** The length without an incomplete unit, or the first half of a surrogate pair, at the end. */
function completeUtf16(bytes: Uint8Array): number {
  const end = bytes.length - (bytes.length % 2);
  return end > 0 && ((bytes[end - 1] ?? 0) & 0xfc) === 0xd8 ? end - 2 : end;
}

export class TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  #pending: Uint8Array = new Uint8Array(0);
  #started = false;

  constructor(label: unknown = 'utf-8', options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    const encoding = encodingOf(String(label).trim().toLowerCase());
    if (!encoding) {
      throw Object.assign(new RangeError(`The "${String(label)}" encoding is not supported`), {
        code: 'ERR_ENCODING_NOT_SUPPORTED',
      });
    }
    this.encoding = encoding;
    this.fatal = Boolean(options?.fatal);
    this.ignoreBOM = Boolean(options?.ignoreBOM);
  }

  decode(input?: unknown, options: { stream?: boolean } = {}): string {
    const stream = Boolean(options?.stream);
    const bytes = this.#withPending(bytesOf(input));
    const end = stream ? this.#completeEnd(bytes) : bytes.length;
    this.#pending = bytes.slice(end);
    let text = this.#decodeText(bytes, end);
    if (text && !this.#started && !this.ignoreBOM && this.encoding.startsWith('utf-') && text[0] === '\ufeff') {
      text = text.slice(1);
    }
    this.#started = stream && (this.#started || end > 0);
    return text;
  }

  #withPending(bytes: Uint8Array): Uint8Array {
    if (this.#pending.length === 0) return bytes;
    const joined = new Uint8Array(this.#pending.length + bytes.length);
    joined.set(this.#pending);
    joined.set(bytes, this.#pending.length);
    return joined;
  }

  #completeEnd(bytes: Uint8Array): number {
    if (this.encoding === 'utf-8') return completeEnd(bytes, bytes.length);
    if (this.encoding === 'utf-16le') return completeUtf16(bytes);
    // In other encodings only the host knows where a character ends, so it decodes all of the text at once.
    return this.encoding === 'windows-1252' ? bytes.length : 0;
  }

  #decodeText(bytes: Uint8Array, end: number): string {
    if (this.encoding === 'utf-16le') return this.#decodeUtf16(bytes, end);
    if (this.encoding === 'windows-1252') {
      const decodeByte = (byte: number): string =>
        byte >= 0x80 && byte < 0xa0 ? (windows1252High[byte - 0x80] ?? '') : String.fromCharCode(byte);
      return Array.from(bytes.subarray(0, end), decodeByte).join('');
    }
    if (this.encoding !== 'utf-8') return this.#decodeByHost(bytes.slice(0, end));
    const text = decodeUtf8(bytes, { from: 0, to: end }, this.fatal);
    if (text === undefined) throw invalidDataError(this.encoding);
    return text;
  }

  #decodeByHost(bytes: Uint8Array): string {
    let text: ArrayBuffer;
    try {
      text = ask('decode', this.encoding, bytes.buffer as ArrayBuffer, this.fatal) as ArrayBuffer;
    } catch (error) {
      throw (error as { code?: unknown }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? invalidDataError(this.encoding)
        : error;
    }
    return decodeUtf8(new Uint8Array(text), { from: 0, to: text.byteLength }) ?? '';
  }

  #decodeUtf16(bytes: Uint8Array, end: number): string {
    const units: string[] = [];
    for (let at = 0; at + 1 < end; at += 2)
      units.push(String.fromCharCode((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)));
    const text = units.join('') + (end % 2 === 1 ? '\ufffd' : '');
    if (this.fatal && (end % 2 === 1 || !text.isWellFormed())) throw invalidDataError(this.encoding);
    return text.toWellFormed();
  }
}
