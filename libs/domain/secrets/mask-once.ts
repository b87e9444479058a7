// Masking for a text that seldom holds a secret: nothing is prepared for the next one, so it costs next to nothing where
// none is found, and keeps nothing in memory.
import { soughtCharsMin } from './finder.ts';
import type { Span } from './finder.ts';
import { formsOf } from './forms.ts';
import { hideSpans } from './mask.ts';

/** So much of a secret's beginning is masked even when the rest of it was cut off. */
const beginningChars = 16;

/**
 * As `maskSecrets`, but of a secret that is not there as a whole it finds only the beginning. Linear in the text for each
 * secret. The end of a text that was `cut` is left out, as far as it may be the beginning of a secret.
 */
export function maskOnce(text: string, secrets: readonly string[], cut: boolean): string {
  const long = new Set(secrets.filter((secret) => secret.length >= soughtCharsMin));
  if (long.size === 0 || text.length < soughtCharsMin) return text;
  const forms = new Set([...long].flatMap((secret) => formsOf(secret, soughtCharsMin)));
  const spans = [...forms].filter((form) => form.length >= soughtCharsMin).flatMap((form) => spansOf(form, text));
  const shown = spans.length === 0 ? text : hideSpans(text, merged(spans));
  return cut ? shown.slice(0, 1 - beginningChars) : shown;
}

function spansOf(form: string, text: string): Span[] {
  const beginning = form.slice(0, beginningChars);
  const spans: Span[] = [];
  for (let from = text.indexOf(beginning); from !== -1;) {
    const to = from + commonChars(form, text, from);
    spans.push([from, to]);
    from = text.indexOf(beginning, to);
  }
  if (spans.length === 0 || form.length <= beginningChars) return spans;
  // A whole one may begin within what looked like the beginning of another.
  for (let from = text.indexOf(form); from !== -1; from = text.indexOf(form, from + 1))
    spans.push([from, from + form.length]);
  return spans;
}

/** How many characters of the form are in the text from there on. */
function commonChars(form: string, text: string, from: number): number {
  let chars = 0;
  while (chars < form.length && form[chars] === text[from + chars]) chars++;
  return chars;
}

/** In ascending order, overlapping and touching ones as one. */
function merged(spans: readonly Span[]): readonly Span[] {
  const all: [number, number][] = [];
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1);
    if (last === undefined || from > last[1]) all.push([from, to]);
    else last[1] = Math.max(last[1], to);
  }
  return all;
}
