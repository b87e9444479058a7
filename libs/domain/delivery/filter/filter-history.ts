// The filters and transforms that a subscription has had; each applies from a place in each partition of `channels` on.
import type { JsonObject } from '../../json.ts';
import { sizes } from '../../sizes.ts';
import { filterBytesMax } from './filter.ts';

export interface FilterSince {
  /**
   * By partition, the offset of the first event that it applies to; absent: it applies from the beginning. Ignored
   * where there is a `version`.
   */
  readonly channelEnds: readonly number[];
  /**
   * It applies from the `FilterChanged` record with this number; absent: it was set by an earlier program, or is the
   * first filter.
   */
  readonly version?: number;
  /** Null: every event matches. */
  readonly filter: JsonObject | null;
  /** Source text of the function that transforms the events before they are sent; absent: there is none. */
  readonly transform?: string;
}

/** A change; absent fields keep their values, null removes the filter or transform. */
export interface FilterChange {
  readonly filter?: JsonObject | null;
  readonly transform?: string | null;
}

export interface FiltersNeededAsked {
  readonly subscriptionId: string;
  /** The gateway that waits for the answer. */
  readonly replyTo: string;
}

/** Which filters events still need, as delivery has answered; without both fields they might need all. */
export interface FiltersNeeded {
  /** No event needs a filter with a lower version. */
  readonly neededFrom?: number;
  /** By partition, the lowest offset on `channels` of a needed event: for filters of earlier versions, unnumbered. */
  readonly neededAt?: readonly { readonly partition: number; readonly offset: number }[];
}

/**
 * The most filters of one subscription that are kept, the newest. One that an event might still need is never dropped
 * (`lacksNeeded`).
 */
export const filtersKeptMax = 256;
/** The size of a change's field names and numbers. */
const envelopeBytes = 128;
/** The size of all kept filters of a subscription as JSON: as much as four of the largest. */
const keptBytesMax = 4 * (filterBytesMax + sizes.transformBytes + envelopeBytes);

/** The number of the newest change; 0: there was none. */
export const newestVersion = (filters: readonly FilterSince[]): number =>
  Math.max(0, ...filters.map(({ version = 0 }) => version));

type Change = FilterChange & Partial<Pick<FilterSince, 'channelEnds'>>;

/** In order; a subscription without filters had none from its beginning on. `channelEnds`: of an earlier program. */
export const withFilter = (before: readonly FilterSince[], change: Change): readonly FilterSince[] =>
  keptFilters(withAll(before, change), keptBytesMax);

/** Like `withFilter`, but drops none to make room. */
function withAll(before: readonly FilterSince[], { channelEnds, ...change }: Change): readonly FilterSince[] {
  const none: FilterSince = { channelEnds: [], filter: null };
  const all = before.length === 0 ? [none] : before;
  const last = all.at(-1) ?? none;
  const filter = change.filter === undefined ? last.filter : change.filter;
  const transform = change.transform === undefined ? last.transform : (change.transform ?? undefined);
  if (JSON.stringify(last.filter) === JSON.stringify(filter) && last.transform === transform) return all;
  const place = channelEnds === undefined ? { channelEnds: [], version: newestVersion(all) + 1 } : { channelEnds };
  const next = { ...place, filter, ...(transform === undefined ? {} : { transform }) };
  return [...all, next];
}

/** Whether `kept` of the filters lacks one that events need. */
export const lacksNeeded = (
  before: readonly FilterSince[],
  change: FilterChange,
  { kept, neededFrom = 0, neededAt = [] }: FiltersNeeded & { readonly kept: readonly FilterSince[] },
): boolean => {
  const all = withAll(before, change);
  const dropped = all.slice(0, all.length - kept.length);
  return dropped.some(({ version = 0 }, at) => version >= neededFrom && !holdsAt(all[at + 1], neededAt));
};

/**
 * Whether it was set by an earlier program and applies at each of the places: then no event there needs the one before
 * it.
 */
const holdsAt = (since: FilterSince | undefined, places: NonNullable<FiltersNeeded['neededAt']>): boolean =>
  since !== undefined &&
  since.version === undefined &&
  places.length > 0 &&
  places.every(({ partition, offset }) => (since.channelEnds[partition] ?? 0) <= offset);

/** The newest filters that take at most `bytesMax` as JSON together; the last one always stays. */
export function keptFilters(all: readonly FilterSince[], bytesMax: number): readonly FilterSince[] {
  let bytes = 0;
  const tooOld = all.findLastIndex((since, at) => {
    bytes += Buffer.byteLength(JSON.stringify(since));
    return bytes > bytesMax && at < all.length - 1;
  });
  const kept = all.slice(tooOld + 1).slice(-filtersKeptMax);
  const [oldest, ...later] = kept;
  return oldest === undefined || kept.length === all.length ? all : [{ ...oldest, channelEnds: [] }, ...later];
}
