// The fields of an account's credentials: those that its app declares, those it already has, and those that the user adds.
import type { CustomField } from '../api/records.ts';

export interface CredentialField {
  readonly name: string;
  readonly label: string;
  readonly isSecret: boolean;
  /** The user added the field, and types its name too. */
  readonly isUserAdded: boolean;
  readonly value: string;
}

/** More than any app needs; the service itself has no such limit. */
export const fieldsMax = 20;

export const newUserField: CredentialField = { name: '', label: '', isSecret: true, isUserAdded: true, value: '' };

/** `text`: the fields that the app declares, a list as JSON. If there are none, the default field. */
export function fieldsOf(text: string | undefined, names: readonly string[] = []): readonly CredentialField[] {
  const declaredFields = parseDeclaredFields(text).map(({ name, label, type }) => ({
    name,
    label,
    isSecret: type !== 'string',
    isUserAdded: false,
    value: '',
  }));
  const additionalFields = names
    .filter((name) => !declaredFields.some((field) => field.name === name))
    .map((name) => ({ name, label: name, isSecret: true, isUserAdded: false, value: '' }));
  const fields = [...declaredFields, ...additionalFields];
  return fields.length === 0 ? [newUserField] : fields;
}

function parseDeclaredFields(text: string | undefined): readonly CustomField[] {
  if (text === undefined) return [];
  const fields: unknown = JSON.parse(text);
  return Array.isArray(fields) ? (fields as readonly CustomField[]) : [];
}

/** Without the empty fields; undefined: all are empty. */
export function credentialsIn(fields: readonly CredentialField[]): Readonly<Record<string, string>> | undefined {
  const filled = fields.filter(({ name, value }) => name.trim() !== '' && value !== '');
  return filled.length === 0 ? undefined : Object.fromEntries(filled.map(({ name, value }) => [name.trim(), value]));
}
