// Shortens JSON texts that are built like a sample: keeps only the values, and of these only those that differ.

/** A field of the sample and its value; an id's prefix is part of the field. Fields in objects and lists count too. */
const field = /("\w+":(?:"(?:[a-z]+_)?)?)([^"\\[\]{},]*|\[[^\]{}]*\]|\{\})(?=[",}\]])/g;

/** Codes are control characters, which JSON text does not contain. */
const begin = '\u0001';
const separator = '\u0002';
/** An empty value; no characters at all mean the sample's value. */
const empty = '\u0003';
/** Codes from here on mean a part of the document's id. */
const firstIdCode = 4;
const idPartsMax = 4;
/** Replacing a shorter part saves next to nothing. */
const idPartCharactersMin = 8;
const control = /[\u0000-\u001f]/;

export class Template {
  /** The text before each value, and after the last one. */
  readonly #between: readonly string[];
  readonly #values: readonly string[];

  /** `sample`: JSON text; if it is empty, no text is shortened. */
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

  /** Returns undefined if the text, as `JSON.stringify` made it, has other fields than the sample. */
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

  /** Returns a text that was not shortened unchanged. */
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

/** Returns the position of `ending` at the end of a text, if it is at or after `from`; otherwise -1. */
function lastPlace(text: string, ending: string, from: number): number {
  const place = text.length - ending.length;
  return place >= from && text.endsWith(ending) ? place : -1;
}

/** Returns an id's parts without their prefixes, which belong to the fields. None if a part could look like a code. */
function partsOf(id: string): readonly string[] {
  const parts = control.test(id) ? [] : id.split('/').slice(0, idPartsMax);
  return parts.map((part) => part.replace(/^[a-z]+_/, ''));
}
