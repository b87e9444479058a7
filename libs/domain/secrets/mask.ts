// Masks secret values, plain and in their usual encodings, in text that people will read.
import type { Json } from '../json.ts';
import { Finder, pieceChars, soughtCharsMin } from './finder.ts';
import type { Span } from './finder.ts';
import { formsOf } from './forms.ts';
import { escapedCharsMax, spansInReadings } from './readings.ts';
import { secretPlaceholder } from './secret-placeholder.ts';

/**
 * Above these limits, a stranger's input would make masking too slow: each secret has up to `formsMax` forms, and each
 * text up to three readings.
 */
const secretsMax = 100;
const secretCharsMax = 128 * 1024;
export const hiddenNotice = `[hidden: it may hold any of more than ${secretsMax} secrets, or longer ones than are looked for]`;

/** Every string inside a value, at any depth, as input for `maskSecrets`. Property names are not included. */
export function collectSecrets(value: Json): string[] {
  const secrets: string[] = [];
  const pending: Json[] = [value];
  for (let inner = pending.pop(); inner !== undefined; inner = pending.pop()) {
    if (typeof inner === 'string') secrets.push(inner);
    else if (typeof inner === 'object' && inner !== null) {
      const values: Json[] = Object.values(inner);
      for (let at = values.length - 1; at >= 0; at--) pending.push(values[at] ?? null);
    }
  }
  return secrets;
}

/**
 * Puts `[secret]` in place of every secret of 6 characters or more (shorter ones would mask ordinary words), of its
 * encoded forms, and of longer pieces of them, percent-encoded or not. Computes the forms at the first text, for all
 * texts of a run. With too many or too long secrets, the whole text is masked. Linear in the text.
 *
 * The end of a text that was `cut` might be the beginning of a secret: as much as could not be found is left out.
 */
export function secretMask(secrets: readonly string[]): (text: string, cut?: boolean) => string {
  const searchedSecrets = new Set(secrets.filter((secret) => secret.length >= soughtCharsMin));
  if (searchedSecrets.size === 0) return (text) => text;
  if (exceedsSearchLimits(searchedSecrets)) return () => hiddenNotice;
  let finder: Finder | undefined;
  return (text, cut = false) => {
    const secretFinder = (finder ??= finderOf(searchedSecrets));
    const shown = hideSpans(
      text,
      spansInReadings(text, (reading) => secretFinder.spansIn(reading)),
    );
    return cut ? clipEnd(shown, text, pieceChars) : shown;
  };
}

/** The shown text without as much of its end as might be the beginning of a secret's piece of `chars` characters. */
export const clipEnd = (shown: string, text: string, chars: number): string =>
  shown.slice(0, text.includes('%', text.length - chars * escapedCharsMax) ? -chars * escapedCharsMax : 1 - chars);

/** Whether there are more secrets, or longer ones, than are looked for. */
export const exceedsSearchLimits = (secrets: ReadonlySet<string>): boolean =>
  secrets.size > secretsMax || [...secrets].reduce((sum, secret) => sum + secret.length, 0) > secretCharsMax;

export const maskSecrets = (text: string, secrets: readonly string[]): string => secretMask(secrets)(text);

const finderOf = (secrets: ReadonlySet<string>): Finder =>
  new Finder([...secrets].flatMap((secret) => formsOf(secret, soughtCharsMin)));

/** `spans`: in ascending order, none touching the next. */
export function hideSpans(text: string, spans: readonly Span[]): string {
  let clear = '';
  let end = 0;
  for (const [from, to] of spans) {
    clear += text.slice(end, from) + secretPlaceholder;
    end = to;
  }
  return clear + text.slice(end);
}
