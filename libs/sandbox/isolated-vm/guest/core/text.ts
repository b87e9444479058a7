// The text of a value, and the size and depth of a text without encoding or parsing it.
import { isFinite, regExpExec, stringCharCodeAt, stringSlice, toText } from './primordials.ts';

/** Undefined: the value has no text that distinguishes it from others, such as `[object Object]`. */
export function ownText(value: unknown): string | undefined {
  if (typeof value === 'number' && !isFinite(value)) return undefined;
  if (typeof value === 'boolean' || typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object') return toText(value);
  try {
    const text = toText(value);
    return stringSlice(text, 0, 8) === '[object ' ? undefined : text;
  } catch {
    return undefined;
  }
}

const beyondAscii = /[^\0-\x7f]/;

/** Whether the unit is the first half of a surrogate pair. */
export const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** The length in bytes of UTF-8, the unit of limits. */
export function utf8Length(text: string): number {
  let length = text.length;
  if (!regExpExec(beyondAscii, text)) return length;
  for (let at = 0; at < text.length; at++) {
    const unit = stringCharCodeAt(text, at);
    if (unit < 0x80) continue;
    length += unit < 0x800 ? 1 : 2;
    // A lone surrogate becomes the three bytes of U+FFFD; a pair is four bytes, counted at its first unit.
    if (isHighSurrogate(unit) && at + 1 < text.length) {
      const next = stringCharCodeAt(text, at + 1);
      if (next >= 0xdc00 && next <= 0xdfff) at++;
    }
  }
  return length;
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** How many levels of arrays and objects a JSON text has; the text is well-formed. */
export function jsonDepth(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const unit = stringCharCodeAt(json, at);
    if (inString) {
      if (unit === backslash) at++;
      else if (unit === quote) inString = false;
    } else if (unit === quote) inString = true;
    else if (unit === openBracket || unit === openBrace) deepest = ++depth > deepest ? depth : deepest;
    else if (unit === closeBracket || unit === closeBrace) depth--;
  }
  return deepest;
}
