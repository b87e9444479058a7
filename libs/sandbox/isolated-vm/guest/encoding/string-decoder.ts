// StringDecoder with base64url, which the `string_decoder` package does not know.
import { StringDecoder as Plain } from 'string_decoder/lib/string_decoder.js';
import { Buffer } from './buffer.ts';

const isBase64Url = (encoding: unknown): boolean => String(encoding).toLowerCase() === 'base64url';
const toBase64Url = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

function plainEncoding(encoding: unknown): BufferEncoding {
  if (isBase64Url(encoding)) return 'base64';
  if (encoding === undefined || encoding === null || Buffer.isEncoding(String(encoding))) return encoding as 'utf8';
  throw Object.assign(new TypeError(`Unknown encoding: ${String(encoding)}`), { code: 'ERR_UNKNOWN_ENCODING' });
}

export class StringDecoder extends Plain {
  constructor(encoding?: unknown) {
    super(plainEncoding(encoding));
    if (!isBase64Url(encoding)) return;
    // The package sets both on the object itself, not on the prototype.
    const { write, end } = this;
    this.write = (bytes) => toBase64Url(write.call(this, bytes));
    this.end = (bytes) => toBase64Url(end.call(this, bytes));
  }
}
