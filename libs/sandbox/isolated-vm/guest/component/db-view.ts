// What a run that has others beside it sees of the db: its state when the run began, and the run's own writes.
import { jsonStringify, mapGet, mapHas, mapSet } from '../core/primordials.ts';
import { utf8Length } from '../core/text.ts';

export interface View {
  /** The size of the db as this run would leave it, if nobody else wrote. */
  bytes: number;
  /** The newest text of each key that the run wrote; null: removed. */
  readonly written: Map<string, string | null>;
  /** The texts of keys that others have changed since the run began, from before that; null: the key did not exist. */
  readonly before: Map<string, string | null>;
}

/** What an entry has beside the JSON texts of key and value, as runtime counts it, which leaves out what does not fit. */
const entryOverheadBytes = 4;

export const entryBytes = (key: string, text: string | undefined): number =>
  text === undefined ? 0 : utf8Length(jsonStringify(key) ?? '') + utf8Length(text) + entryOverheadBytes;

export const openView = (bytes: number): View => ({ bytes, written: new Map(), before: new Map() });

/** Call before somebody else changes a key that has this text. */
export function rememberFor(view: View | undefined, key: string, text: string | undefined): void {
  if (view !== undefined && !mapHas(view.before, key)) mapSet(view.before, key, text ?? null);
}

/** `now`: the text of the key in the shared db. */
export function seenBy(view: View, key: string, now: string | undefined): string | undefined {
  if (mapHas(view.written, key)) return mapGet(view.written, key) ?? undefined;
  return mapHas(view.before, key) ? (mapGet(view.before, key) ?? undefined) : now;
}

/** `old`: what the run saw until now. */
export function writeTo(view: View, key: string, text: string | undefined, old: string | undefined): void {
  view.bytes += entryBytes(key, text) - entryBytes(key, old);
  mapSet(view.written, key, text ?? null);
}
