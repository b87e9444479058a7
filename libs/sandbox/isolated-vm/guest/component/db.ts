// $.service.db: one live map per source, synchronous for the component; every write also goes to the host.
import { op, send } from '../core/bridge.ts';
import type { Call } from '../core/calls.ts';
import { LimitError, limits } from '../core/limits.ts';
import { jsonParse, jsonStringify, mapDelete, mapGet, mapSet, objectKeys, toText } from '../core/primordials.ts';
import { jsonDepth, utf8Length } from '../core/text.ts';
import { dbKeyUnitsMax } from '../../wire.ts';

/** Key -> JSON text, shared by all invocations of this source. */
const values = new Map<string, string>();
let bytes = 0;

const entryBytes = (key: string, text: string | undefined): number =>
  text === undefined ? 0 : utf8Length(key) + utf8Length(text);

function put(key: string, text: string | undefined): void {
  bytes += entryBytes(key, text) - entryBytes(key, mapGet(values, key));
  if (text === undefined) mapDelete(values, key);
  else mapSet(values, key, text);
}

/** `text` is a JSON object of JSON texts, made by the host. */
export function restoreDb(text: string): void {
  const stored = jsonParse(text) as Record<string, string>;
  const keys = objectKeys(stored);
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? '';
    put(key, stored[key]);
  }
}

function get(key: unknown): unknown {
  const text = mapGet(values, toText(key));
  return text === undefined ? undefined : jsonParse(text);
}

function set(call: Call, key: unknown, value: unknown): void {
  const name = toText(key);
  const text = jsonStringify(value);
  const { dbValueBytes, dbBytes, dbWritesMax, dbWrittenBytesMax, depthMax } = limits();
  if (name.length > dbKeyUnitsMax) {
    throw new LimitError(`db.set: the key has ${name.length} characters, ${dbKeyUnitsMax} are allowed`);
  }
  if (text === undefined) {
    // There is nothing to remove, and nothing to tell.
    if (mapGet(values, name) === undefined) return;
    call.dbRemovedBytes += utf8Length(name);
    if (call.dbRemovedBytes > dbBytes) {
      throw new LimitError(`db.set: the keys that one run removes may have ${dbBytes} bytes`);
    }
  }
  if (text !== undefined && utf8Length(text) > dbValueBytes) {
    throw new LimitError(`db.set: the value of ${name} is larger than ${dbValueBytes} bytes of JSON`);
  }
  if (text !== undefined && jsonDepth(text) > depthMax) {
    throw new LimitError(`db.set: the value of ${name} is nested deeper than ${depthMax} levels`);
  }
  const total = bytes + entryBytes(name, text) - entryBytes(name, mapGet(values, name));
  if (text !== undefined && total > dbBytes) {
    throw new LimitError(`db.set: with ${name} the db would be larger than ${dbBytes} bytes`);
  }
  if (call.dbWrites >= dbWritesMax) throw new LimitError(`db.set: one run may write ${dbWritesMax} times`);
  call.dbWrittenBytes += entryBytes(name, text ?? '');
  if (call.dbWrittenBytes > dbWrittenBytesMax) {
    throw new LimitError(`db.set: one run may write ${dbWrittenBytesMax} bytes`);
  }
  call.dbWrites++;
  put(name, text);
  send(op.db, call.id, name, text ?? null);
}

export const dbOf = (call: Call): object => ({
  get,
  set: (key: unknown, value: unknown): void => set(call, key, value),
});
