// Applies dedupe strategies (docs/reference/component-api.md, "Dedupe"): drops repeated emits and remembers ids.
import { createHash } from 'node:crypto';
import type { DedupeStrategy } from '../component/manifest.ts';
import type { EmitCall } from '../component/emit-call.ts';
import type { DedupeMemory } from '../channel/messages.ts';

/** The number of ids that `unique` remembers (docs/reference/component-api.md, "Dedupe"). */
export const uniqueIdsMax = 100;
/** Components keep ids to 64 characters; a longer id is remembered by its hash, so that the memory is bounded. */
const idCharsMax = 128;

export interface Deduped {
  readonly kept: readonly EmitCall[];
  readonly dropped: number;
  /** How many of the dropped emits had no id that could be compared. */
  readonly unusable: number;
  readonly memory: DedupeMemory | null;
}

/** Ids are compared as strings. */
function storedIdOf(id: string | number): string {
  const text = String(id);
  return text.length <= idCharsMax ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/**
 * `emits` in the order in which they would become events. Under a strategy, an emit without an id is dropped, since it
 * cannot be told from a duplicate. A memory of another strategy is ignored.
 */
export function dedupe(
  strategy: DedupeStrategy | undefined,
  memory: DedupeMemory | null,
  emits: readonly EmitCall[],
): Deduped {
  if (strategy === undefined || emits.length === 0) return { kept: emits, dropped: 0, unusable: 0, memory };
  const currentMemory = memory?.strategy === strategy ? memory : null;
  const usable = emits.filter(({ id }) => isUsable[strategy](id));
  const result = { unique, greatest, last }[strategy](currentMemory, usable);
  return { ...result, dropped: emits.length - result.kept.length, unusable: emits.length - usable.length };
}

type StrategyResult = Omit<Deduped, 'dropped' | 'unusable'>;
type Id = EmitCall['id'];

const isUsable: Readonly<Record<DedupeStrategy, (id: Id) => boolean>> = {
  unique: (id) => id !== undefined,
  greatest: (id) => numeric(id) !== undefined,
  last: (id) => id !== undefined,
};

/** The text for the component's author in the record of a run whose emits could not be compared. */
export function unusableText(strategy: DedupeStrategy | undefined, { unusable }: Pick<Deduped, 'unusable'>): string {
  const ids = strategy === 'greatest' ? 'an id that is a number' : 'an id';
  const emits = unusable === 1 ? '1 emit was' : `${unusable} emits were`;
  return `${emits} dropped: the dedupe strategy '${strategy}' compares ids, so every $emit needs ${ids}.`;
}

function unique(memory: DedupeMemory | null, emits: readonly EmitCall[]): StrategyResult {
  // A set keeps insertion order.
  const ids = new Set(memory?.strategy === 'unique' ? memory.ids : []);
  const kept = emits.filter((emit) => {
    const id = storedIdOf(emit.id ?? '');
    if (ids.has(id)) return false;
    const [oldest] = ids.size < uniqueIdsMax ? [] : ids;
    if (oldest !== undefined) ids.delete(oldest);
    ids.add(id);
    return true;
  });
  return { kept, memory: { strategy: 'unique', ids: [...ids] } };
}

function greatest(memory: DedupeMemory | null, emits: readonly EmitCall[]): StrategyResult {
  let highest = memory?.strategy === 'greatest' ? memory.greatest : undefined;
  const kept = emits.filter((emit) => {
    const id = numeric(emit.id);
    if (id === undefined || (highest !== undefined && !isAbove(id, highest))) return false;
    highest = id;
    return true;
  });
  return { kept, memory: highest === undefined ? null : { strategy: 'greatest', greatest: highest } };
}

const integer = /^-?\d+$/;

/** A finite number, or an integer as text of any length; undefined for anything else. */
function numeric(id: string | number | undefined): string | number | undefined {
  if (typeof id === 'number') return Number.isFinite(id) ? id : undefined;
  const text = id?.trim() ?? '';
  if (integer.test(text) && text.length <= idCharsMax) return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/** Integers beyond 2^53 (snowflake ids) are compared exactly: as numbers, neighbours would be equal. */
function isAbove(a: string | number, b: string | number): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a > b;
  return integer.test(String(a)) && integer.test(String(b)) ? BigInt(a) > BigInt(b) : Number(a) > Number(b);
}

/** Keeps only the emits after the last event's id; all of them if the run does not emit that id. */
function last(memory: DedupeMemory | null, emits: readonly EmitCall[]): StrategyResult {
  const lastId = memory?.strategy === 'last' ? memory.last : undefined;
  const ids = emits.map((emit) => storedIdOf(emit.id ?? ''));
  const kept = lastId === undefined ? emits : emits.slice(ids.lastIndexOf(lastId) + 1);
  const newest = kept.length === 0 ? lastId : ids.at(-1);
  return { kept, memory: newest === undefined ? null : { strategy: 'last', last: newest } };
}
