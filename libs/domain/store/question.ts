// The requests to data stores and their answers. Requests are checked on entry, because components send them too.
import { isId } from '../id.ts';
import { isNestedTooDeep } from '../json.ts';
import type { Json } from '../json.ts';
import type { Millis } from '../message.ts';
import { storeBounds } from './bounds.ts';

export type StoreQuestion =
  | { readonly op: 'stores' }
  /** `others`: ids by which the same Idempotency-Key may have created it before; absent: none. */
  | { readonly op: 'create'; readonly store: string; readonly name: string; readonly others?: readonly string[] }
  | { readonly op: 'remove' | 'store' | 'clear'; readonly store: string }
  | { readonly op: 'get' | 'has' | 'delete'; readonly store: string; readonly key: string }
  | { readonly op: 'set'; readonly store: string; readonly key: string; readonly value: Json; readonly ttl?: number }
  /** Without a `ttl` the key no longer expires. */
  | { readonly op: 'set_ttl'; readonly store: string; readonly key: string; readonly ttl?: number }
  /** A page from `after` on, exclusive: the `last` of the page before. */
  | { readonly op: 'keys' | 'entries'; readonly store: string; readonly after?: number; readonly limit?: number };

export type StoreOp = StoreQuestion['op'];

export interface StoreInfo {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Millis;
  readonly keys: number;
  /** Of keys and values as JSON text. */
  readonly bytes: number;
}

export interface StoreRecord {
  readonly key: string;
  /** Absent where only keys were asked for. */
  readonly value?: Json;
  readonly expiresAt: Millis | null;
}

export interface StorePage {
  readonly records: readonly StoreRecord[];
  /** Of the whole store. */
  readonly total: number;
  /** Places of the first and the last record; absent: there are none. `last` is `after` for the next page. */
  readonly first?: number;
  readonly last?: number;
  readonly hasMore: boolean;
}

/**
 * `store_not_found`: it is not in the workspace. `store_full`: a bound of `storeBounds`. `store_removed`: the request that
 * is repeated has created it, and it was removed since.
 */
export type StoreRefusal = 'store_not_found' | 'store_full' | 'store_removed' | 'invalid' | 'sealed' | 'unanswered';

export type StoreAnswer =
  | { readonly refused: StoreRefusal; readonly message: string }
  | { readonly stores: readonly StoreInfo[] }
  | { readonly store: StoreInfo }
  /** `found`: whether the key existed; with `get` there is its record, too. */
  | { readonly found: boolean; readonly record?: StoreRecord }
  | { readonly page: StorePage };

/** Requests that change nothing. */
export const isReadOnly = (op: StoreOp): boolean =>
  op === 'stores' || op === 'store' || op === 'get' || op === 'has' || op === 'keys' || op === 'entries';

interface Fields {
  readonly [field: string]: unknown;
}

/** A number of seconds, or nothing. */
const isTtl = (ttl: unknown): boolean =>
  ttl === undefined || (typeof ttl === 'number' && ttl > 0 && ttl <= storeBounds.ttlMaxS);

const isPosition = (value: unknown): boolean =>
  value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0);

const problemFinders: { readonly [Op in StoreOp]: (fields: Fields) => string | undefined } = {
  stores: () => undefined,
  create: createProblem,
  remove: () => undefined,
  store: () => undefined,
  clear: () => undefined,
  get: keyProblem,
  has: keyProblem,
  delete: keyProblem,
  set: (fields) => keyProblem(fields) ?? valueProblem(fields) ?? ttlProblem(fields),
  set_ttl: (fields) => keyProblem(fields) ?? ttlProblem(fields),
  keys: pageProblem,
  entries: pageProblem,
};

function createProblem({ name, others }: Fields): string | undefined {
  if (typeof name !== 'string' || name === '' || name.length > storeBounds.nameUnitsMax)
    return `the name must be a text of 1 to ${storeBounds.nameUnitsMax} characters`;
  const areIds = Array.isArray(others) && others.every((id) => typeof id === 'string' && isId('ds', id));
  return others === undefined || areIds ? undefined : 'others must be ids';
}

function keyProblem({ key }: Fields): string | undefined {
  const { keyUnitsMax } = storeBounds;
  const isKey = typeof key === 'string' && key.length > 0 && key.length <= keyUnitsMax && key.isWellFormed();
  return isKey ? undefined : `a key must be a text of 1 to ${keyUnitsMax} characters`;
}

function valueProblem({ value }: Fields): string | undefined {
  if (value === undefined) return 'the value must be JSON';
  if (isNestedTooDeep(value as Json)) return 'the value is nested too deep';
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > storeBounds.valueBytes
    ? `the value has ${bytes} bytes of JSON, ${storeBounds.valueBytes} are allowed`
    : undefined;
}

function ttlProblem({ ttl }: Fields): string | undefined {
  return isTtl(ttl) ? undefined : `ttl must be a number of seconds above 0, at most ${storeBounds.ttlMaxS}`;
}

function pageProblem({ after, limit }: Fields): string | undefined {
  return isPosition(after) && isPosition(limit) ? undefined : 'after and limit must be numbers';
}

const keyFields = ['store', 'key'];
const pageFields = ['store', 'after', 'limit'];

const fieldNames: { readonly [Op in StoreOp]: readonly string[] } = {
  stores: [],
  create: ['store', 'name', 'others'],
  remove: ['store'],
  store: ['store'],
  clear: ['store'],
  get: keyFields,
  has: keyFields,
  delete: keyFields,
  set: [...keyFields, 'value', 'ttl'],
  set_ttl: [...keyFields, 'ttl'],
  keys: pageFields,
  entries: pageFields,
};

/** The question with only its known fields, which were checked; or a text that says what is wrong with it. */
export function readQuestion(input: Json): StoreQuestion | string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'it must be an object';
  const inputFields = input as Fields;
  const { op, store } = inputFields;
  if (typeof op !== 'string' || !Object.hasOwn(problemFinders, op)) return 'it asks for nothing that is known';
  if (op !== 'stores' && (typeof store !== 'string' || !isId('ds', store)))
    return 'a data store is named by its id, ds_...';
  const fields = fieldNames[op as StoreOp].filter((name) => inputFields[name] !== undefined);
  const question = Object.fromEntries(['op', ...fields].map((name) => [name, inputFields[name]]));
  return problemFinders[op as StoreOp](inputFields) ?? (question as StoreQuestion);
}
