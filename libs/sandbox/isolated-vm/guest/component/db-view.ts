// A run's view of the db while other runs are concurrent: the db's state when the run began, plus the run's own writes.
import { jsonStringify, mapGet, mapHas, mapSet } from '../core/primordials.ts';
import { utf8Length } from '../core/text.ts';

export interface DbView {
  /** The size that the db would have after this run if no other run wrote. */
  bytes: number;
  /** The newest text of each key that the run wrote; null: removed. */
  readonly written: Map<string, string | null>;
  /** For each key that other runs have changed since this run began: its earlier text; null: the key did not exist. */
  readonly before: Map<string, string | null>;
}

/** Bytes of an entry besides its key's and value's JSON. The runtime counts the same and leaves out what exceeds it. */
const entryOverheadBytes = 4;

export const entryBytes = (key: string, text: string | undefined): number =>
  text === undefined ? 0 : utf8Length(jsonStringify(key) ?? '') + utf8Length(text) + entryOverheadBytes;

export const openView = (bytes: number): DbView => ({ bytes, written: new Map(), before: new Map() });

/** Call before another run changes `key`, whose text is still `text`. */
export function rememberPrevious(view: DbView | undefined, key: string, text: string | undefined): void {
  if (view !== undefined && !mapHas(view.before, key)) mapSet(view.before, key, text ?? null);
}

/** The text that the run sees; `sharedText`: the key's text in the shared db. */
export function textSeenBy(view: DbView, key: string, sharedText: string | undefined): string | undefined {
  if (mapHas(view.written, key)) return mapGet(view.written, key) ?? undefined;
  return mapHas(view.before, key) ? (mapGet(view.before, key) ?? undefined) : sharedText;
}

/** `previous`: the text that the run has seen until now. */
export function writeToView(view: DbView, key: string, text: string | undefined, previous: string | undefined): void {
  view.bytes += entryBytes(key, text) - entryBytes(key, previous);
  mapSet(view.written, key, text ?? null);
}
