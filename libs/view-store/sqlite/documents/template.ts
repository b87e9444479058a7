// Small JSON texts that are built like a sample: only their values are stored, and of these none that the sample has too.

/** A field of the sample and its value; an id's prefix counts as the field's. Objects and lists of objects are looked into. */
const field = /("\w+":(?:"(?:[a-z]+_)?)?)([^"\\[\]{},]*|\[[^\]{}]*\]|\{\})(?=[",}\]])/g;

/** JSON text holds no control characters. */
const begin = '\u0001';
const separator = '\u0002';
/** An empty value; nothing at all is the sample's value. */
const empty = '\u0003';
/** From here on a code stands for a part of the document's id. */
const firstIdCode = 4;
const idPartsMax = 4;
/** A part that is shorter saves next to nothing. */
const idPartCharactersMin = 8;
const control = /[\u0000-\u001f]/;

export class Template {
  /** What stands before each value, and behind the last one. */
  readonly #between: readonly string[];
  readonly #values: readonly string[];

  /** `sample`: JSON text; empty: nothing is built like it. */
  constructor(sample: string) {
    const [between, values]: [string[], string[]] = [[], []];
    let at = 0;
    for (const { index, 1: name = '', 2: value = '' } of sample.matchAll(field)) {
      between.push(sample.slice(at, index) + name);
      values.push(value);
      at = index + name.length + value.length;
    }
    this.#between = [...between, sample.slice(at)];
    this.#values = values;
  }

  /** Undefined: the text, as `JSON.stringify` made it, has other fields than the sample. */
  shorten(id: string, text: string): string | undefined {
    const [first = ''] = this.#between;
    if (first === '' || !text.startsWith(first)) return undefined;
    let at = first.length;
    let short = begin;
    const last = this.#values.length - 1;
    for (const [i, usual] of this.#values.entries()) {
      const next = this.#between[i + 1] ?? '';
      const end = i === last ? lastPlace(text, next, at) : text.indexOf(next, at);
      if (end === -1) return undefined;
      const value = text.slice(at, end);
      if (i > 0) short += separator;
      if (value !== usual) short += value === '' ? empty : value;
      at = end + next.length;
    }
    for (const [i, part] of partsOf(id).entries())
      if (part.length >= idPartCharactersMin) short = short.replaceAll(part, String.fromCharCode(firstIdCode + i));
    return short;
  }

  /** A text that was not shortened comes back as it is. */
  expand(id: string, short: string): string {
    if (!short.startsWith(begin)) return short;
    let values = short.slice(begin.length);
    for (const [i, part] of partsOf(id).entries())
      values = values.replaceAll(String.fromCharCode(firstIdCode + i), () => part);
    const given = values.split(separator);
    return this.#between
      .map((text, i) => {
        const value = given[i];
        return text + ((value === '' ? this.#values[i] : value === empty ? '' : value) ?? '');
      })
      .join('');
  }
}

/** Where a text ends with `ending`, not before `from`; -1: it does not. */
function lastPlace(text: string, ending: string, from: number): number {
  const place = text.length - ending.length;
  return place >= from && text.endsWith(ending) ? place : -1;
}

/** Without their prefixes, which are the fields'. None where a part could be taken for a code. */
function partsOf(id: string): readonly string[] {
  const parts = control.test(id) ? [] : id.split('/').slice(0, idPartsMax);
  return parts.map((part) => part.replace(/^[a-z]+_/, ''));
}
