// The forms in which a secret is usually written: unchanged, in lower case, quoted, in hex, in base64, as a printed
// Buffer. Percent-encoded secrets need no form here: texts are also searched decoded (`readings.ts`).
import { decodePercent } from './readings.ts';

/** Bytes that a console shows of a Buffer (Node's `INSPECT_MAX_BYTES`). */
const bufferShownBytes = 50;

/** The most forms of a secret, without the `quotedForms` of each of its lines. */
export const formsMax = 40;

/**
 * The forms of a secret and, if there is white space around it, those of the secret without it: a key is pasted with a
 * line break at its end, and used without it. Of a secret of several lines each line counts too: a console shows the
 * lines of a long text apart, as `'first\\n' +` and `'second'`, and puts spaces before those of a text in a group and
 * of a cause. Lines shorter than `lineCharsMin` are left out.
 */
export function formsOf(secret: string, lineCharsMin: number): string[] {
  const trimmed = secret.trim();
  const lines = /[\r\n]/.test(trimmed) ? trimmed.split(/[\r\n]+/) : [];
  const forms = [...encodedForms(secret), ...(trimmed === secret ? [] : encodedForms(trimmed))];
  const longLines = lines.map((line) => line.trim()).filter((line) => line.length >= lineCharsMin);
  return [...new Set([...forms, ...longLines.flatMap(quotedForms)])];
}

/** Quoted as JSON, and as a console quotes text: it chooses the quotes that need the least escaping. */
function quotedForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const singleQuoted = json.replaceAll('\\"', '"');
  return [text, json, singleQuoted, singleQuoted.replaceAll("'", "\\'")];
}

function encodedForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].flatMap((shift) => base64Forms(bytes, shift));
  return [
    ...quotedForms(secret),
    // The form in which a host name is shown.
    secret.toLowerCase(),
    hex,
    hex.toUpperCase(),
    hexPairsShown(bytes),
    // A URL does not encode a `%` of the secret.
    decodePercent(secret).text,
    // The path of a URL has a `/` for each backslash.
    secret.replaceAll('\\', '/'),
    // Encoding as UTF-8 replaces lone surrogates.
    secret.toWellFormed(),
    ...base64,
    ...base64.map(base64Url),
  ];
}

/** The pairs in `<Buffer 73 65 ... 12 more bytes>`. */
const hexPairsShown = (bytes: Buffer): string =>
  bytes
    .subarray(0, bufferShownBytes)
    .toString('hex')
    .replace(/..(?=.)/g, '$& ');

/**
 * Base64 of the secret alone and, since `user:secret` is encoded as a whole for basic authentication, the characters
 * that the secret alone decides when `shift` bytes (modulo 3) stand before it.
 */
function base64Forms(bytes: Buffer, shift: number): string[] {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  const inside = whole.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + bytes.length) * 8) / 6));
  return shift === 0 ? [whole, whole.replace(/=+$/, ''), inside] : [inside];
}

function base64Url(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
