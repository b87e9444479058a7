// The order key of an event: a short hash of the value that the webhook's JSON pointer (RFC 6901) finds in the event.
import { createHash } from 'node:crypto';
import { isObject } from '../../shape/checks.ts';

/** The longest pointer: evaluated for each event and stored with each cursor. A path to an id is far shorter. */
export const pointerCharsMax = 256;

/**
 * The version of records with an order key: an older program would send events of one key in any order, or skip some.
 */
export const orderedByKeyVersion = 6;

/** Base64url characters, 72 bits: two keys with the same hash only wait for each other. */
const hashChars = 12;

const badEscape = /~(?![01])/;
const listIndex = /^(?:0|[1-9]\d*)$/;

/** The problem with a pointer; undefined: it is valid. */
export function pointerProblem(pointer: string): string | undefined {
  if (!pointer.startsWith('/')) return 'must be a JSON pointer that begins with "/", such as /customer/id';
  if (pointer.length > pointerCharsMax) return `must have at most ${pointerCharsMax} characters`;
  return badEscape.test(pointer) ? 'must have ~ only as ~0 (for ~) or ~1 (for /)' : undefined;
}

/** The value that the pointer finds in the event; undefined: none. */
export function valueAt(event: unknown, pointer: string): unknown {
  let value = event;
  for (const escaped of pointer.split('/').slice(1)) {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = listIndex.test(name) ? (value as readonly unknown[])[Number(name)] : undefined;
    else value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

/** Up to this many characters of JSON, the order of members does not matter: keys are short, and sorting costs time. */
export const sortedCharsMax = 4_096;

export interface OrderKey {
  readonly key: string;
  /** The hash by earlier versions, which did not sort the members; absent: it is the same. */
  readonly former?: string;
}

/**
 * Values are one key if they are equal; objects with more than `sortedCharsMax` characters of JSON only if their
 * members come in the same order. Events in which the pointer finds nothing, or null, share one key.
 */
export function orderKeyOf(event: unknown, pointer: string): OrderKey {
  const value = valueAt(event, pointer) ?? null;
  const text = JSON.stringify(value);
  const key = hashOf(pointer, text);
  if (typeof value !== 'object' || value === null || text.length > sortedCharsMax) return { key };
  const sorted = JSON.stringify(withSortedMembers(value));
  return sorted === text ? { key } : { key: hashOf(pointer, sorted), former: key };
}

const hashOf = (pointer: string, text: string): string =>
  createHash('sha256').update(`${pointer}\n${text}`).digest('base64url').slice(0, hashChars);

/** Recursive: the depth of an event is bounded. */
function withSortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedMembers);
  if (!isObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, withSortedMembers(value[name])]));
}
