// Masking: takes secret values, as they are and as they are usually encoded, out of text that people will read.
import type { Json } from '../json.ts';

/** Shorter values would mask ordinary words (architecture.md, Secrets). */
const secretCharsMin = 6;
const masked = '[secret]';
/** Each has about ten forms to look for in every line: beyond this, what a stranger sends would hold the process up. */
const secretsMax = 100;
const hidden = `[hidden: it may hold any of more than ${secretsMax} secrets]`;

/** Every string inside a value, at any depth: what `maskSecrets` takes. Names of properties are none. */
export function collectSecrets(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((inner: Json) => collectSecrets(inner));
}

/**
 * Puts `[secret]` in place of every secret of 6 characters or more, and of its encoded forms. Works out the forms at the
 * first text, for all texts of a run. With too many secrets nothing of a text is shown.
 */
export function secretMask(secrets: readonly string[]): (text: string) => string {
  const long = new Set(secrets.filter((secret) => secret.length >= secretCharsMin));
  if (long.size > secretsMax) return () => hidden;
  let forms: ReadonlySet<string> | undefined;
  return (text) => maskForms(text, (forms ??= new Set([...long].flatMap(formsOf))));
}

export const maskSecrets = (text: string, secrets: readonly string[]): string => secretMask(secrets)(text);

function maskForms(text: string, forms: ReadonlySet<string>): string {
  let clear = '';
  let end = 0;
  for (const [from, to] of merged([...forms].flatMap((form) => occurrences(text, form)))) {
    clear += text.slice(end, from) + masked;
    end = to;
  }
  return clear + text.slice(end);
}

type Span = readonly [from: number, to: number];

function occurrences(text: string, form: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
    spans.push([at, at + form.length]);
  }
  return spans;
}

/** Overlapping spans become one, so that masking one secret never leaves a piece of another. */
function merged(spans: Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = result.at(-1);
    if (last !== undefined && span[0] < last[1]) result[result.length - 1] = [last[0], Math.max(last[1], span[1])];
    else result.push(span);
  }
  return result;
}

/** A console shows the lines of a long text apart, as `'first\\n' +` and `'second'`. */
function formsOf(secret: string): string[] {
  const lines = secret.split('\n').filter((line) => line.length >= secretCharsMin);
  return lines.length > 1 ? [...encodedForms(secret), ...lines.flatMap(quotedForms)] : encodedForms(secret);
}

/** In the quotes of JSON, and in those that a console puts around text, which it chooses so that few need escaping. */
function quotedForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const shown = json.replaceAll('\\"', '"');
  return [text, json, shown, shown.replaceAll("'", "\\'")];
}

function encodedForms(secret: string): string[] {
  const percent = encodeURIComponent(secret.toWellFormed());
  const lowerPercent = percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const hex = Buffer.from(secret).toString('hex');
  const base64 = [0, 1, 2].flatMap((shift) => base64Forms(Buffer.from(secret), shift));
  return [
    ...quotedForms(secret),
    hex,
    hex.toUpperCase(),
    percent,
    lowerPercent,
    percent.replaceAll('%20', '+'),
    new URLSearchParams([['', secret]]).toString().slice(1),
    ...base64,
    ...base64.map(base64Url),
  ];
}

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
