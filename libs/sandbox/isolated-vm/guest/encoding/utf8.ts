// Encodes and decodes UTF-8 as in the Encoding Standard, because V8 alone does neither.

/** String.fromCharCode takes units as arguments; this many always fit on the stack. */
const chunkUnits = 4096;

/** The length in bytes of the well-formed sequence at `at`; negative: that many bytes are one error. */
function sequenceLength(bytes: Uint8Array, at: number, end: number): number {
  const lead = bytes[at] ?? 0;
  const needed = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  if (lead < 0xc2 || lead > 0xf4) return -1;
  let low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  let high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  for (let seen = 1; seen <= needed; seen++) {
    const next = at + seen < end ? (bytes[at + seen] ?? 0) : 0;
    if (next < low || next > high) return -seen;
    low = 0x80;
    high = 0xbf;
  }
  return needed + 1;
}

function codePoint(bytes: Uint8Array, at: number, length: number): number {
  const byte = (offset: number): number => (bytes[at + offset] ?? 0) & 0x3f;
  const lead = bytes[at] ?? 0;
  if (length === 2) return ((lead & 0x1f) << 6) | byte(1);
  if (length === 3) return ((lead & 0x0f) << 12) | (byte(1) << 6) | byte(2);
  return ((lead & 0x07) << 18) | (byte(1) << 12) | (byte(2) << 6) | byte(3);
}

/** The end of the run of ASCII that begins at `at`, at most one chunk further. */
function asciiEnd(bytes: Uint8Array, at: number, end: number): number {
  const limit = Math.min(end, at + chunkUnits);
  let to = at;
  while (to < limit && (bytes[to] ?? 0) < 0x80) to++;
  return to;
}

const textOf = (units: Uint8Array | number[]): string => Reflect.apply(String.fromCharCode, undefined, units);

/** Malformed parts become U+FFFD; with `fatal` the result is undefined instead. */
export function decodeUtf8(bytes: Uint8Array, range: { from: number; to: number }, fatal = false): string | undefined {
  let text = '';
  let units: number[] = [];
  for (let at = range.from; at < range.to;) {
    const ascii = asciiEnd(bytes, at, range.to);
    // Text is mostly ASCII, and decoding whole runs of it is many times faster than single characters.
    if (ascii > at) {
      text += textOf(units) + textOf(bytes.subarray(at, ascii));
      units = [];
      at = ascii;
      continue;
    }
    const length = sequenceLength(bytes, at, range.to);
    if (length < 0 && fatal) return undefined;
    const point = length < 0 ? 0xfffd : codePoint(bytes, at, length);
    if (point > 0xffff) units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
    else units.push(point);
    at += Math.abs(length);
    if (units.length >= chunkUnits) {
      text += textOf(units);
      units = [];
    }
  }
  return text + textOf(units);
}

/** The beginning of the last sequence if further bytes could complete it, else `end`. */
export function completeEnd(bytes: Uint8Array, end: number): number {
  for (let back = 1; back <= 3 && end - back >= 0; back++) {
    const byte = bytes[end - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xc2 ? sequenceLength(bytes, end - back, end) : 1;
    return length === -back ? end - back : end;
  }
  return end;
}

/** A lone surrogate becomes U+FFFD. Stops before a character that does not fit; `units`: how many were encoded. */
export function encodeUtf8(text: string, target: Uint8Array): { units: number; bytes: number } {
  let to = 0;
  let at = 0;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) {
      if (to >= target.length) break;
      target[to++] = unit;
      at++;
      continue;
    }
    const point = text.codePointAt(at) ?? 0;
    const scalar = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
    const size = scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4;
    if (to + size > target.length) break;
    writeSequence(target, to, scalar, size);
    to += size;
    at += point > 0xffff ? 2 : 1;
  }
  return { units: at, bytes: to };
}

function writeSequence(target: Uint8Array, at: number, scalar: number, size: number): void {
  let remaining = scalar;
  for (let offset = size - 1; offset > 0; offset--) {
    target[at + offset] = 0x80 | (remaining & 0x3f);
    remaining >>= 6;
  }
  target[at] = (size === 2 ? 0xc0 : size === 3 ? 0xe0 : 0xf0) | remaining;
}
