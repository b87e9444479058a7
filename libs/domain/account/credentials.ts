// Checks the credentials in a request: texts by field name, within bounds. Problems never quote a value.
import { isObject } from '../shape/checks.ts';
import { credentialFieldsMax, credentialsBytesMax, fieldName } from './account-bounds.ts';

const nameShownChars = 100;

/** A sentence for the caller; undefined: the credentials are valid. */
export function credentialsProblem(given: unknown): string | undefined {
  if (!isObject(given)) return 'credentials must be an object of texts by field name, in the body';
  const names = Object.keys(given);
  if (names.length === 0) return 'credentials must hold at least one field';
  if (names.length > credentialFieldsMax) return `credentials must not hold more than ${credentialFieldsMax} fields`;
  const odd = names.find((name) => !fieldName.test(name));
  if (odd !== undefined)
    return `credentials: ${JSON.stringify(odd.slice(0, nameShownChars))} cannot be the name of a field: it must be letters, digits, _, . and -, and begin with a letter or _`;
  const wrong = names.find((name) => typeof given[name] !== 'string');
  if (wrong !== undefined) return `credentials: ${wrong} must be text`;
  if (Buffer.byteLength(JSON.stringify(given)) <= credentialsBytesMax) return undefined;
  return `credentials must not be larger than ${credentialsBytesMax} bytes as JSON`;
}

/** The names, sorted, so that equal credentials have equal lists. */
export const credentialFields = (given: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(given).toSorted();
