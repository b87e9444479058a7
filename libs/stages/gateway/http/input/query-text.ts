// What text in a query string stands for: the same values as in a JSON body.
import { readJson } from '../json/json-text.ts';

/** `integers`: separated by commas. `json`: JSON text. */
export type QueryForm = 'boolean' | 'integer' | 'integers' | 'json';
export type QueryForms = Readonly<Record<string, QueryForm>>;

/** `fault`: JSON text that is out of the bounds of all input. */
export type ReadText = { readonly value: unknown } | { readonly fault: string };

/** Text that is not of the form stays text, for the validator to refuse. */
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

/** As it is read inside the object that a body is. */
function json(field: string, text: string): ReadText {
  const read = readJson(text, { levels: 1, field });
  if ('value' in read) return read;
  return 'fault' in read ? { fault: read.fault.why } : { value: text };
}
