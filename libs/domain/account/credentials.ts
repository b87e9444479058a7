// Checks the credentials in a request: texts by field name, within bounds. Problems never quote a value.
import { isObject } from '../shape/checks.ts';
import { credentialFieldsMax, credentialsBytesMax, fieldName } from './account-bounds.ts';

const shownNameChars = 100;

/** A sentence for the caller; undefined: the credentials are valid. */
export function credentialsProblem(credentials: unknown): string | undefined {
  if (!isObject(credentials)) return 'credentials must be an object of texts by field name, in the body';
  const names = Object.keys(credentials);
  if (names.length === 0) return 'credentials must hold at least one field';
  if (names.length > credentialFieldsMax) return `credentials must not hold more than ${credentialFieldsMax} fields`;
  const invalidName = names.find((name) => !fieldName.test(name));
  if (invalidName !== undefined)
    return `credentials: ${JSON.stringify(invalidName.slice(0, shownNameChars))} cannot be the name of a field: it must be letters, digits, _, . and -, and begin with a letter or _`;
  const nonTextName = names.find((name) => typeof credentials[name] !== 'string');
  if (nonTextName !== undefined) return `credentials: ${nonTextName} must be text`;
  if (Buffer.byteLength(JSON.stringify(credentials)) <= credentialsBytesMax) return undefined;
  return `credentials must not be larger than ${credentialsBytesMax} bytes as JSON`;
}

/** The names, sorted, so that equal credentials have equal lists. */
export const credentialFields = (credentials: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(credentials).toSorted();
