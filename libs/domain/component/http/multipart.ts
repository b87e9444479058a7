// Reads the fields and files of a multipart form as bytes, because a file can contain any bytes.
import { parseMultipart } from '@remix-run/multipart-parser';
import type { JsonObject } from '../../json.ts';
import { sizes } from '../../sizes.ts';

/** A file of a form: `content` is its bytes as base64. */
export type FormFile = JsonObject & {
  readonly filename: string;
  readonly contentType: string;
  readonly content: string;
};

/** More parts than the largest allowed form can have: each takes at least 40 bytes besides its content. */
const partsMax = 16_384;
/** The same limit as for the request's own headers. */
const partHeaderBytesMax = 16 * 1024;

export function boundaryOf(contentType: string): string | undefined {
  const match = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  return match?.[1] ?? match?.[2];
}

export interface FormPart {
  readonly name: string;
  /** Undefined: it is a field. */
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
}

/** In the order of the form. Throws when the bytes are not a multipart form, or too many. */
export function* parseParts(bytes: Uint8Array, boundary: string, bytesMax: number): Generator<FormPart> {
  const bounds = {
    maxHeaderSize: partHeaderBytesMax,
    maxFileSize: bytesMax,
    maxTotalSize: bytesMax,
    maxParts: partsMax,
  };
  for (const part of parseMultipart(bytes.subarray(preambleBytes(bytes, boundary)), { boundary, ...bounds })) {
    const { name, filename } = part;
    const contentType = part.headers['content-type'] ?? undefined;
    if (name !== undefined) yield { name, filename, contentType, bytes: part.bytes };
  }
}

/** Bytes before the first boundary line, which do not belong to the form (RFC 2046, 5.1.1); the parser refuses them. */
function preambleBytes(bytes: Uint8Array, boundary: string): number {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const opening = Buffer.from(`\r\n--${boundary}`);
  if (body.subarray(0, opening.length - 2).equals(opening.subarray(2))) return 0;
  const boundaryAt = body.indexOf(opening);
  return boundaryAt === -1 ? 0 : boundaryAt + 2;
}

/** In the order of the form. Throws when the bytes are not a multipart form. */
export function formParts(bytes: Uint8Array, boundary: string): (readonly [string, string | FormFile])[] {
  const parts: (readonly [string, string | FormFile])[] = [];
  for (const part of parseParts(bytes, boundary, sizes.endpointBodyBytes)) {
    const { name, filename, contentType = 'application/octet-stream' } = part;
    const content = Buffer.from(part.bytes);
    if (filename === undefined) parts.push([name, content.toString('utf8')]);
    else parts.push([name, { filename, contentType, content: content.toString('base64') }]);
  }
  return parts;
}
