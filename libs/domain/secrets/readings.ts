// Decodes percent-encoded parts of a text for a search. URLs, `encodeURI`, forms and clients each encode other
// characters, so the text is decoded instead of encoding the sought secrets in every way.
import type { Span } from './finder.ts';

/** The most characters of a percent-encoded character, such as `%E4%B8%80`. */
export const escapedCharsMax = 9;

interface Reading {
  readonly text: string;
  /** For each character of the reading, and its end: where it begins in the text that was read. */
  readonly starts: Uint32Array;
}

/**
 * Ranges of the text that `find` finds in it as it is, percent-decoded, or decoded as a form, whose spaces are `+`:
 * three passes at most. In ascending order, overlapping and touching ones as one.
 */
export function spansInReadings(text: string, find: (text: string) => readonly Span[]): readonly Span[] {
  const readings = [
    ...(text.includes('%') ? [decodePercent(text)] : []),
    ...(text.includes('+') ? [decodePercent(text, ' ')] : []),
  ];
  if (readings.length === 0) return find(text);
  const spans = readings.flatMap((reading) =>
    find(reading.text).map(([from, to]): Span => [reading.starts[from] ?? 0, reading.starts[to] ?? text.length]),
  );
  return mergeSpans([...find(text), ...spans]);
}

/** The ranges in ascending order; overlapping and touching ones are merged. */
export function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const mergedSpans: [number, number][] = [];
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    const last = mergedSpans.at(-1);
    if (last === undefined || from > last[1]) mergedSpans.push([from, to]);
    else last[1] = Math.max(last[1], to);
  }
  return mergedSpans;
}

/** Decodes percent-encoding. Escapes that are not valid, or not UTF-8, stay as they are. `plus`: what a `+` becomes. */
export function decodePercent(text: string, plus = '+'): Reading {
  const starts = new Uint32Array(text.length + 1);
  let reading = '';
  for (let at = 0; at < text.length;) {
    const escaped = text[at] === '%' ? escapedAt(text, at) : undefined;
    const units = escaped === undefined ? (text[at] ?? '') : String.fromCodePoint(escaped.code);
    starts.fill(at, reading.length, reading.length + units.length);
    reading += escaped === undefined && units === '+' ? plus : units;
    at += escaped?.chars ?? 1;
  }
  starts[reading.length] = text.length;
  return { text: reading, starts };
}

/** The character whose UTF-8 bytes are percent-encoded there. */
function escapedAt(text: string, from: number): { readonly code: number; readonly chars: number } | undefined {
  const first = byteAt(text, from);
  if (first < 0x80) return first < 0 ? undefined : { code: first, chars: 3 };
  const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
  let code = first & (0x3f >> more);
  for (let nth = 1; nth <= more; nth++) {
    const next = byteAt(text, from + 3 * nth);
    if (next >> 6 !== 0b10) return undefined;
    code = (code << 6) | (next & 0x3f);
  }
  return first < 0xc0 || code > 0x10_ffff ? undefined : { code, chars: 3 * (more + 1) };
}

/** -1: no byte is percent-encoded there. */
function byteAt(text: string, at: number): number {
  if (text[at] !== '%') return -1;
  const [high, low] = [digitOf(text.charCodeAt(at + 1)), digitOf(text.charCodeAt(at + 2))];
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
