// $.service.db: one map per source, synchronous for the component; every write also goes to the host.
import { toHost, send } from '../core/bridge.ts';
import type { Call } from '../core/calls.ts';
import { LimitError, limits } from '../core/guest-limits.ts';
import {
  jsonParse,
  jsonStringify,
  mapDelete,
  mapEachKey,
  mapGet,
  mapSet,
  objectKeys,
  toText,
} from '../core/primordials.ts';
import { jsonDepth, utf8Length } from '../core/text.ts';
import { dbKeyUnitsMax } from '../../wire.ts';
import { entryBytes, openView, rememberPrevious, textSeenBy, writeToView } from './db-view.ts';
import type { DbView } from './db-view.ts';

/** Key -> JSON text, with the writes of every invocation that has ended, and of one that runs alone. */
const values = new Map<string, string>();
let bytes = 0;

/** The views of concurrent invocations. */
const views = new Map<Call, DbView>();

function writeShared(key: string, text: string | undefined): void {
  const previous = mapGet(values, key);
  mapEachKey(views, (call) => rememberPrevious(mapGet(views, call), key, previous));
  bytes += entryBytes(key, text) - entryBytes(key, previous);
  if (text === undefined) mapDelete(values, key);
  else mapSet(values, key, text);
}

/** `text` is a JSON object of JSON texts, made by the host. */
export function restoreDb(text: string): void {
  const stored = jsonParse(text) as Record<string, string>;
  const keys = objectKeys(stored);
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? '';
    writeShared(key, stored[key]);
  }
}

/** From now on the invocation sees the db's present state plus its own writes, but not those of concurrent ones. */
export function beginView(call: Call): void {
  mapSet(views, call, openView(bytes));
}

/** Makes the invocation's writes visible to all. Throws LimitError and writes nothing if the db would be too large. */
export function mergeView(call: Call): void {
  const view = mapGet(views, call);
  if (view === undefined) return;
  mapDelete(views, call);
  const { dbBytes } = limits();
  let total = bytes;
  mapEachKey(view.written, (key) => {
    total += entryBytes(key, mapGet(view.written, key) ?? undefined) - entryBytes(key, mapGet(values, key));
  });
  if (total > dbBytes && total > bytes) {
    throw new LimitError(`db.set: with the writes of overlapping runs, the db would be larger than ${dbBytes} bytes`);
  }
  mapEachKey(view.written, (key) => {
    const text = mapGet(view.written, key) ?? undefined;
    writeShared(key, text);
    send(toHost.db, call.id, key, text ?? null);
  });
}

const textOf = (call: Call, key: string): string | undefined => {
  const view = mapGet(views, call);
  return view === undefined ? mapGet(values, key) : textSeenBy(view, key, mapGet(values, key));
};

function get(call: Call, key: unknown): unknown {
  const text = textOf(call, toText(key));
  return text === undefined ? undefined : jsonParse(text);
}

function set(call: Call, key: unknown, value: unknown): void {
  const name = toText(key);
  const text = jsonStringify(value);
  const view = mapGet(views, call);
  const previous = textOf(call, name);
  const { dbValueBytes, dbBytes, dbWritesMax, dbWrittenBytesMax, depthMax } = limits();
  if (name.length > dbKeyUnitsMax) {
    throw new LimitError(`db.set: the key has ${name.length} characters, ${dbKeyUnitsMax} are allowed`);
  }
  if (text === undefined) {
    // The key does not exist: there is nothing to remove, and nothing to report.
    if (previous === undefined) return;
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
  const total = (view === undefined ? bytes : view.bytes) + entryBytes(name, text) - entryBytes(name, previous);
  if (text !== undefined && total > dbBytes) {
    throw new LimitError(`db.set: with ${name} the db would be larger than ${dbBytes} bytes`);
  }
  if (call.dbWrites >= dbWritesMax) throw new LimitError(`db.set: one run may write ${dbWritesMax} times`);
  call.dbWrittenBytes += entryBytes(name, text ?? '');
  if (call.dbWrittenBytes > dbWrittenBytesMax) {
    throw new LimitError(`db.set: one run may write ${dbWrittenBytesMax} bytes`);
  }
  call.dbWrites++;
  if (view !== undefined) {
    writeToView(view, name, text, previous);
    return;
  }
  writeShared(name, text);
  send(toHost.db, call.id, name, text ?? null);
}

export const dbOf = (call: Call): object => ({
  get: (key: unknown): unknown => get(call, key),
  set: (key: unknown, value: unknown): void => set(call, key, value),
});
