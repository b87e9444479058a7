// Shortens small JSON texts with the fields of a sample: stores only those values that differ from the sample's.

/**
 * Matches a field of the sample and its value; an id's prefix belongs to the field. Nested objects are searched, too.
 */
const field = /("\w+":(?:"(?:[a-z]+_)?)?)([^"\\[\]{},]*|\[[^\]{}]*\]|\{\})(?=[",}\]])/g;

/** Codes are control characters, which JSON text does not contain. */
const begin = '\u0001';
const separator = '\u0002';
/** Stands for an empty value; no characters at all stand for the sample's value. */
const empty = '\u0003';
/** Codes from this one on stand for a part of the document's id. */
const firstIdCode = 4;
const idPartsMax = 4;
/** A shorter part saves next to nothing. */
const idPartCharactersMin = 8;
const control = /[\u0000-\u001f]/;

export class Template {
  /** The texts before each value, and after the last one. */
  readonly #literals: readonly string[];
  readonly #values: readonly string[];

  /** `sample`: JSON text; with an empty one no text is shortened. */
  constructor(sample: string) {
    const [literals, values]: [string[], string[]] = [[], []];
    let position = 0;
    for (const { index, 1: name = '', 2: value = '' } of sample.matchAll(field)) {
      literals.push(sample.slice(position, index) + name);
      values.push(value);
      position = index + name.length + value.length;
    }
    this.#literals = [...literals, sample.slice(position)];
    this.#values = values;
  }

  /** Undefined if the text, which `JSON.stringify` made, has other fields than the sample. */
  shorten(id: string, text: string): string | undefined {
    const [first = ''] = this.#literals;
    if (first === '' || !text.startsWith(first)) return undefined;
    let position = first.length;
    let short = begin;
    const last = this.#values.length - 1;
    for (const [i, sampleValue] of this.#values.entries()) {
      const next = this.#literals[i + 1] ?? '';
      const end = i === last ? endingIndexOf(text, next, position) : text.indexOf(next, position);
      if (end === -1) return undefined;
      const value = text.slice(position, end);
      if (i > 0) short += separator;
      if (value !== sampleValue) short += value === '' ? empty : value;
      position = end + next.length;
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
    const storedValues = values.split(separator);
    return this.#literals
      .map((text, i) => {
        const value = storedValues[i];
        return text + ((value === '' ? this.#values[i] : value === empty ? '' : value) ?? '');
      })
      .join('');
  }
}

/** Returns where the `ending` of a text begins, not before `from`; -1 if the text does not end with it. */
function endingIndexOf(text: string, ending: string, from: number): number {
  const index = text.length - ending.length;
  return index >= from && text.endsWith(ending) ? index : -1;
}

/** Returns the id's parts without prefixes, which belong to the fields; none if a part could be mistaken for a code. */
function partsOf(id: string): readonly string[] {
  const parts = control.test(id) ? [] : id.split('/').slice(0, idPartsMax);
  return parts.map((part) => part.replace(/^[a-z]+_/, ''));
}
