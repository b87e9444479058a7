// Turns text in a query string into the values that a JSON body would have.
import { readJson } from '../json/json-text.ts';

/** `integers`: separated by commas. `json`: JSON text. */
export type QueryForm = 'boolean' | 'integer' | 'integers' | 'json';
export type QueryForms = Readonly<Record<string, QueryForm>>;

/** `fault`: JSON text that exceeds the bounds of all input. */
export type ReadText = { readonly value: unknown } | { readonly fault: string };

/** Text of another form stays text, which the validator rejects. */
export function fromQueryText(form: QueryForm | undefined, name: string, text: string): ReadText {
  switch (form) {
    case undefined:
      return { value: text };
    case 'boolean':
      return { value: text === 'true' ? true : text === 'false' ? false : text };
    case 'integer':
      return { value: integer(text) };
    case 'integers':
      return { value: text === '' ? [] : text.split(',').map((part) => integer(part.trim())) };
    case 'json':
      return json(name, text);
  }
}

const integer = (text: string): unknown => (/^-?\d{1,15}$/.test(text) ? Number(text) : text);

/** Reads the text within the bounds of a field of a body. */
function json(field: string, text: string): ReadText {
  const read = readJson(text, { levels: 1, field });
  if ('value' in read) return read;
  return 'fault' in read ? { fault: read.fault.why } : { value: text };
}
