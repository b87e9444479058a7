// The forms in which a secret is usually written: as it is, in lower case, quoted, in hex, percent-encoded, in base64, as a Buffer shows it.

/** Bytes that a console shows of a Buffer (Node's `INSPECT_MAX_BYTES`). */
const bufferShownBytes = 50;

/** A console shows the lines of a long text apart, as `'first\\n' +` and `'second'`; shorter ones than `lineCharsMin` are left out. */
export function formsOf(secret: string, lineCharsMin: number): string[] {
  const lines = secret.split('\n').filter((line) => line.length >= lineCharsMin);
  return lines.length > 1 ? [...encodedForms(secret), ...lines.flatMap(quotedForms)] : encodedForms(secret);
}

/** Quoted as JSON, and as a console quotes text: it chooses the quotes that need the least escaping. */
function quotedForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const shown = json.replaceAll('\\"', '"');
  return [text, json, shown, shown.replaceAll("'", "\\'")];
}

function encodedForms(secret: string): string[] {
  const percent = encodeURIComponent(secret.toWellFormed());
  const lowerPercent = percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].flatMap((shift) => base64Forms(bytes, shift));
  return [
    ...quotedForms(secret),
    // The form in which a host name is shown.
    secret.toLowerCase(),
    hex,
    hex.toUpperCase(),
    bufferShown(bytes),
    percent,
    lowerPercent,
    percent.replaceAll('%20', '+'),
    new URLSearchParams([['', secret]]).toString().slice(1),
    ...base64,
    ...base64.map(base64Url),
  ];
}

/** The pairs in `<Buffer 73 65 ... 12 more bytes>`. */
const bufferShown = (bytes: Buffer): string =>
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
