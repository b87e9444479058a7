// node:querystring: parsing keeps invalid escapes unchanged and never throws.
import { Buffer } from '../encoding/buffer.ts';

type Decode = (text: string) => string;
type Values = Record<string, string | string[]>;

/** Names that are read by default; the caller can ask for more, or for all with 0. */
const keysMax = 1_000;

/** As in Node, escapes the same characters as encodeURIComponent. */
export const escape = (text: unknown): string => encodeURIComponent(String(text).toWellFormed());

export function unescape(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString());
  }
}

function decodeText(text: string, decode: Decode): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decode(spaced);
  } catch {
    return unescape(spaced);
  }
}

interface ParseOptions {
  readonly maxKeys?: number;
  readonly decodeURIComponent?: Decode;
}

export function parse(text: unknown, sep?: unknown, eq?: unknown, options: ParseOptions = {}): Values {
  const values = Object.create(null) as Values;
  if (typeof text !== 'string' || text === '') return values;
  const { maxKeys = keysMax, decodeURIComponent: decode = unescape } = options ?? {};
  const pairs = text.split(String(sep ?? '') || '&', maxKeys > 0 ? maxKeys : undefined);
  const equals = String(eq ?? '') || '=';
  for (const pair of pairs) {
    if (pair === '') continue;
    const at = pair.indexOf(equals);
    const name = decodeText(at < 0 ? pair : pair.slice(0, at), decode);
    const value = at < 0 ? '' : decodeText(pair.slice(at + equals.length), decode);
    const existing = values[name];
    if (existing === undefined) values[name] = value;
    else if (Array.isArray(existing)) existing.push(value);
    else values[name] = [existing, value];
  }
  return values;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  return typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : '';
}

interface StringifyOptions {
  readonly encodeURIComponent?: (text: string) => string;
}

export function stringify(values: unknown, sep?: unknown, eq?: unknown, options: StringifyOptions = {}): string {
  if (typeof values !== 'object' || values === null) return '';
  const encode = options?.encodeURIComponent ?? escape;
  const equals = String(eq ?? '') || '=';
  return Object.entries(values)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? (value as unknown[]) : [value]).map((one) => encode(name) + equals + encode(textOf(one))),
    )
    .join(String(sep ?? '') || '&');
}

export const querystring = { parse, stringify, escape, unescape, decode: parse, encode: stringify };
export default querystring;
