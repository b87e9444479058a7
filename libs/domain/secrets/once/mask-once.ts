// Masks texts that seldom hold a secret: it prepares nothing for later texts, so it costs little where none is found,
// and keeps nothing in memory.
import { formsOf } from '../forms.ts';
import { soughtCharsMin } from '../finder.ts';
import type { Span } from '../finder.ts';
import { hiddenNotice, hideSpans, exceedsSearchLimits, clipEnd } from '../mask.ts';
import { mergeSpans, spansInReadings } from '../readings.ts';
import { endsOf } from './occurrences.ts';

/** A beginning of a secret of this length is masked even if the rest of it was cut off. */
const beginningChars = 16;

/** Header fields cannot hold it; what stands on both sides of it in an answer is clipped all the same. */
const separator = '\0';

/**
 * As `secretMask`, but of a secret that is not there as a whole it finds only the beginning. The forms of the secrets are
 * made once for all texts, and sought in all of them together, as they are and decoded: linear in their length for each
 * form. The end of the last text, if it was `cut`, is left out, as far as it may be the beginning of a secret.
 */
export function maskOnce(texts: readonly string[], secrets: readonly string[], cut = false): readonly string[] {
  const searchedSecrets = new Set(secrets.filter((secret) => secret.length >= soughtCharsMin));
  if (searchedSecrets.size === 0) return texts;
  if (exceedsSearchLimits(searchedSecrets))
    return texts.map((text) => (text.length < soughtCharsMin ? text : hiddenNotice));
  const forms = formsByBeginning(searchedSecrets);
  const spans = spansInReadings(texts.join(separator), (reading) => spansOf(forms, reading));
  const masked = hideInTexts(texts, spans);
  return cut ? masked.with(-1, clipEnd(masked.at(-1) ?? '', texts.at(-1) ?? '', beginningChars)) : masked;
}

type Forms = ReadonlyMap<string, ReadonlySet<string>>;

function formsByBeginning(secrets: ReadonlySet<string>): Forms {
  const byBeginning = new Map<string, Set<string>>();
  for (const secret of secrets)
    for (const form of formsOf(secret, soughtCharsMin)) {
      if (form.length < soughtCharsMin) continue;
      const beginning = form.slice(0, beginningChars);
      const forms = byBeginning.get(beginning) ?? new Set();
      byBeginning.set(beginning, forms.add(form));
    }
  return byBeginning;
}

/** The found ranges in ascending order; overlapping and touching ones are merged. */
function spansOf(byBeginning: Forms, text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const [beginning, forms] of byBeginning) {
    if (!text.includes(beginning)) continue;
    for (const form of forms) spans.push(...beginningsIn(text, beginning, form), ...wholeFormsIn(text, form));
  }
  return mergeSpans(spans);
}

/** Each range is as long as the text agrees with the form. */
function beginningsIn(text: string, beginning: string, form: string): Span[] {
  const spans: Span[] = [];
  for (let from = text.indexOf(beginning); from !== -1;) {
    const to = from + commonChars(form, text, from);
    spans.push([from, to]);
    from = text.indexOf(beginning, to);
  }
  return spans;
}

/** A whole form can begin within what looked like the beginning of another occurrence. */
function wholeFormsIn(text: string, form: string): Span[] {
  if (form.length <= beginningChars) return [];
  const spans: [number, number][] = [];
  for (const to of endsOf(form, text)) {
    const last = spans.at(-1);
    if (last !== undefined && to - form.length <= last[1]) last[1] = to;
    else spans.push([to - form.length, to]);
  }
  return spans;
}

/** How many characters of the form are in the text from there on. */
function commonChars(form: string, text: string, from: number): number {
  let chars = 0;
  while (chars < form.length && form.charCodeAt(chars) === text.charCodeAt(from + chars)) chars++;
  return chars;
}

/** `spans` are of the texts joined by the separator, each hidden in every text that it reaches into. */
function hideInTexts(texts: readonly string[], spans: readonly Span[]): readonly string[] {
  let begin = 0;
  let at = 0;
  return texts.map((text) => {
    const end = begin + text.length;
    const textSpans: Span[] = [];
    for (let span = spans[at]; span !== undefined && span[0] < end; span = spans[++at]) {
      if (span[1] > begin) textSpans.push([Math.max(span[0], begin) - begin, Math.min(span[1], end) - begin]);
      if (span[1] > end) break;
    }
    begin = end + separator.length;
    return textSpans.length === 0 ? text : hideSpans(text, textSpans);
  });
}
