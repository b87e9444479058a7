// Checks of records on the log, composed field by field like the message types; the compiler requires every field.
import type { Json } from '../json.ts';
import { jsonDepthMax } from '../json.ts';
import { millisMax } from '../message.ts';
import type { Sealed } from '../secrets/sealed.ts';

/**
 * Undefined for a value of type T, else the path where it differs ('': the value itself). Never throws, never recurses
 * deeper than a message type does, takes time linear in the value, and reveals no value. `of` exists for the compiler
 * alone: a check of a narrower or wider type than the field's does not fit.
 */
export type Check<T> = AnyCheck & { readonly of?: (value: T) => T };
export type AnyCheck = (value: unknown) => string | undefined;

/** A field that can be absent. */
export interface Optional<T> {
  readonly optional: Check<T>;
}

/** A check for each field of T; a missing check, or one of another type, does not compile. */
export type ShapeOf<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? Optional<Exclude<T[K], undefined>> : Check<T[K]>;
};

/**
 * Twice the depth that callers and components are allowed: their values are nested in others, and earlier versions had
 * looser bounds. A fifth of the depth at which `JSON.stringify` overflows the stack.
 */
export const storedDepthMax = 2 * jsonDepthMax;
/** Ids, keys and names become document ids and map keys; the longest of ours, of a delivery, has 70 characters. */
export const identCharsMax = 512;

const checkBy =
  <T>(test: (value: unknown) => boolean): Check<T> =>
  (value) =>
    test(value) ? undefined : '';

export const text: Check<string> = checkBy((value) => typeof value === 'string');
/** Every store returns it unchanged: lone surrogates (halves of characters) would be lost. */
export const ident: Check<string> = checkBy(
  (value) => typeof value === 'string' && value.length > 0 && value.length <= identCharsMax && value.isWellFormed(),
);
export const flag: Check<boolean> = checkBy((value) => typeof value === 'boolean');
/** JSON can hold numbers that are parsed as infinite. */
export const finite: Check<number> = checkBy((value) => Number.isFinite(value));
/** Offsets, counts and revisions. */
export const natural: Check<number> = checkBy((value) => Number.isSafeInteger(value) && (value as number) >= 0);
/** Epoch milliseconds. */
export const millis: Check<number> = checkBy(
  (value) => Number.isSafeInteger(value) && Math.abs(value as number) <= millisMax,
);
export const json: Check<Json> = checkBy(isJson);
export const jsonOrSealed: Check<Json | Sealed> = checkBy(isJson);

export function oneOf<const T extends string>(...values: readonly T[]): Check<T> {
  const known: ReadonlySet<unknown> = new Set(values);
  return (value) => (known.has(value) ? undefined : '');
}

export const optional = <T>(check: Check<T>): Optional<T> => ({ optional: check });

export const nullable =
  <T>(check: Check<T>): Check<T | null> =>
  (value) =>
    value === null ? undefined : check(value);

export const either =
  <A, B>(first: Check<A>, second: Check<B>): Check<A | B> =>
  (value) =>
    first(value) === undefined ? undefined : second(value);

export function list<T>(check: Check<T>): Check<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return '';
    for (let i = 0; i < value.length; i++) {
      const at = check(value[i]);
      if (at !== undefined) return joinPath(String(i), at);
    }
    return undefined;
  };
}

/** An object whose values have one type; the path leaves out its names, which might be a user's. */
export function record<T>(check: Check<T>): Check<{ readonly [name: string]: T }> {
  return (value) => {
    if (!isObject(value)) return '';
    for (const name of Object.keys(value)) {
      const at = check(value[name]);
      if (at !== undefined) return joinPath('*', at);
    }
    return undefined;
  };
}

/** Unknown fields are accepted: readers ignore them. */
export function object<T>(shape: ShapeOf<T>): Check<T> {
  const fields = (Object.entries(shape) as [string, AnyCheck | { readonly optional: AnyCheck }][]).map(
    ([name, check]) =>
      typeof check === 'function' ? { name, check, required: true } : { name, check: check.optional, required: false },
  );
  return (value) => {
    if (!isObject(value)) return '';
    for (let i = 0; i < fields.length; i++) {
      const { name, check, required } = fields[i] as (typeof fields)[number];
      // No field has the name of an inherited property.
      const fieldValue = value[name];
      if (fieldValue === undefined && !required) continue;
      const at = check(fieldValue);
      if (at !== undefined) return joinPath(name, at);
    }
    return undefined;
  };
}

/** One of several objects, told apart by the value of `field`. */
export function variants<T extends { readonly [K in Field]: string }, Field extends string>(
  field: Field,
  shapes: { readonly [Kind in T[Field]]: Check<Extract<T, { readonly [K in Field]: Kind }>> },
): Check<T> {
  const byKind = new Map(Object.entries(shapes) as [string, AnyCheck][]);
  return (value) => {
    if (!isObject(value)) return '';
    const kind = value[field];
    const check = typeof kind === 'string' ? byKind.get(kind) : undefined;
    return check === undefined ? field : check(value);
  };
}

/** Checks only that it is a string; decryption checks its bytes. */
export const sealed: Check<Sealed> = object<Sealed>({ $sealed: text });

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const joinPath = (name: string, path: string): string => (path === '' ? name : `${name}.${path}`);

/** Checks only the depth, because the value comes from JSON.parse; level by level instead of recursively. */
function isJson(value: unknown): boolean {
  if (value === undefined) return false;
  let level: object[] = typeof value === 'object' && value !== null ? [value] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > storedDepthMax) return false;
    level = nextLevel(level);
  }
  return true;
}

function nextLevel(level: readonly object[]): object[] {
  const next: object[] = [];
  for (const container of level) {
    const members = (Array.isArray(container) ? container : Object.values(container)) as readonly unknown[];
    for (let i = 0; i < members.length; i++) {
      const inner = members[i];
      if (typeof inner === 'object' && inner !== null) next.push(inner);
    }
  }
  return next;
}
