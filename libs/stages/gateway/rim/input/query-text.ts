// What text in a query string stands for: the same values as in a JSON body.

/** `integers`: separated by commas. `json`: JSON text. */
export type QueryForm = 'boolean' | 'integer' | 'integers' | 'json';
export type QueryForms = Readonly<Record<string, QueryForm>>;

/** Text that is not of the form stays text, for the validator to refuse. */
export function fromQueryText(form: QueryForm | undefined, text: string): unknown {
  switch (form) {
    case undefined:
      return text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'integer':
      return integer(text);
    case 'integers':
      return text === '' ? [] : text.split(',').map((part) => integer(part.trim()));
    case 'json':
      return json(text);
  }
}

const integer = (text: string): unknown => (/^-?\d{1,15}$/.test(text) ? Number(text) : text);

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
