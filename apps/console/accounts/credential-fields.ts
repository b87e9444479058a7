// The fields of an account's credentials: those that its app is known for, those it has, and any that somebody adds.
import type { CustomField } from '../api/records.ts';

export interface CredentialField {
  readonly name: string;
  readonly label: string;
  readonly isSecret: boolean;
  /** Its name is typed too. */
  readonly isOwn: boolean;
  readonly value: string;
}

/** One more is refused by nobody, and wanted by nobody. */
export const fieldsMax = 20;

export const ownField: CredentialField = { name: '', label: '', isSecret: true, isOwn: true, value: '' };

/** `text` is what an app says of itself: a list of fields as JSON. Without any, one that is named here. */
export function fieldsOf(text: string | undefined, names: readonly string[] = []): readonly CredentialField[] {
  const known = knownIn(text).map(({ name, label, type }) => ({
    name,
    label,
    isSecret: type !== 'string',
    isOwn: false,
    value: '',
  }));
  const further = names
    .filter((name) => !known.some((field) => field.name === name))
    .map((name) => ({ name, label: name, isSecret: true, isOwn: false, value: '' }));
  const fields = [...known, ...further];
  return fields.length === 0 ? [ownField] : fields;
}

function knownIn(text: string | undefined): readonly CustomField[] {
  if (text === undefined) return [];
  const fields: unknown = JSON.parse(text);
  return Array.isArray(fields) ? (fields as readonly CustomField[]) : [];
}

/** What is empty is left out; undefined: all of it is. */
export function credentialsIn(fields: readonly CredentialField[]): Readonly<Record<string, string>> | undefined {
  const filled = fields.filter(({ name, value }) => name.trim() !== '' && value !== '');
  return filled.length === 0 ? undefined : Object.fromEntries(filled.map(({ name, value }) => [name.trim(), value]));
}
