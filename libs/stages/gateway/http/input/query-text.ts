// Turns text in a query string into the values that a JSON body would have.
import { readJson } from '../json/json-text.ts';

/** `integers`: separated by commas. `json`: JSON text. */
export type QueryForm = 'boolean' | 'integer' | 'integers' | 'json';
export type QueryForms = Readonly<Record<string, QueryForm>>;

/** `fault`: JSON text that exceeds the bounds of all input. */
export type ParsedText = { readonly value: unknown } | { readonly fault: string };

/** Text of another form stays text, which the validator rejects. */
export function parseQueryText(form: QueryForm | undefined, name: string, text: string): ParsedText {
  switch (form) {
    case undefined:
      return { value: text };
    case 'boolean':
      return { value: text === 'true' ? true : text === 'false' ? false : text };
    case 'integer':
      return { value: parseInteger(text) };
    case 'integers':
      return { value: text === '' ? [] : text.split(',').map((part) => parseInteger(part.trim())) };
    case 'json':
      return parseJson(name, text);
  }
}

const parseInteger = (text: string): unknown => (/^-?\d{1,15}$/.test(text) ? Number(text) : text);

/** Reads the text within the bounds of a field of a body. */
function parseJson(field: string, text: string): ParsedText {
  const parsed = readJson(text, { levels: 1, field });
  if ('value' in parsed) return parsed;
  return 'fault' in parsed ? { fault: parsed.fault.why } : { value: text };
}
