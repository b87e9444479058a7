// The filters and transforms that a subscription has had; each applies from a place in each partition of `channels` on.
import type { JsonObject } from '../../json.ts';
import { sizes } from '../../sizes.ts';
import { filterBytesMax } from './filter.ts';

export interface FilterVersion {
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

export interface FiltersNeededRequest {
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
 * (`dropsNeeded`).
 */
export const filtersKeptMax = 256;
/** The size of a change's field names and numbers. */
const envelopeBytes = 128;
/** The size of all kept filters of a subscription as JSON: as much as four of the largest. */
const filtersBytesMax = 4 * (filterBytesMax + sizes.transformBytes + envelopeBytes);

/** The number of the newest change; 0: there was none. */
export const newestVersion = (filters: readonly FilterVersion[]): number =>
  Math.max(0, ...filters.map(({ version = 0 }) => version));

type Change = FilterChange & Partial<Pick<FilterVersion, 'channelEnds'>>;

/** In order; a subscription without filters had none from its beginning on. `channelEnds`: of an earlier program. */
export const withFilter = (filters: readonly FilterVersion[], change: Change): readonly FilterVersion[] =>
  newestFilters(appendFilter(filters, change), filtersBytesMax);

/** Like `withFilter`, but drops none to make room. */
function appendFilter(filters: readonly FilterVersion[], { channelEnds, ...change }: Change): readonly FilterVersion[] {
  const noFilter: FilterVersion = { channelEnds: [], filter: null };
  const all = filters.length === 0 ? [noFilter] : filters;
  const last = all.at(-1) ?? noFilter;
  const filter = change.filter === undefined ? last.filter : change.filter;
  const transform = change.transform === undefined ? last.transform : (change.transform ?? undefined);
  if (JSON.stringify(last.filter) === JSON.stringify(filter) && last.transform === transform) return all;
  const start = channelEnds === undefined ? { channelEnds: [], version: newestVersion(all) + 1 } : { channelEnds };
  const next = { ...start, filter, ...(transform === undefined ? {} : { transform }) };
  return [...all, next];
}

/** Whether `kept` of the filters lacks one that events need. */
export const dropsNeeded = (
  filters: readonly FilterVersion[],
  change: FilterChange,
  { kept, neededFrom = 0, neededAt = [] }: FiltersNeeded & { readonly kept: readonly FilterVersion[] },
): boolean => {
  const all = appendFilter(filters, change);
  const dropped = all.slice(0, all.length - kept.length);
  return dropped.some(({ version = 0 }, at) => version >= neededFrom && !appliesAtAll(all[at + 1], neededAt));
};

/**
 * Whether it was set by an earlier program and applies at each of the places: then no event there needs the one before
 * it.
 */
const appliesAtAll = (filter: FilterVersion | undefined, offsets: NonNullable<FiltersNeeded['neededAt']>): boolean =>
  filter !== undefined &&
  filter.version === undefined &&
  offsets.length > 0 &&
  offsets.every(({ partition, offset }) => (filter.channelEnds[partition] ?? 0) <= offset);

/** The newest filters that take at most `bytesMax` as JSON together; the last one always stays. */
export function newestFilters(all: readonly FilterVersion[], bytesMax: number): readonly FilterVersion[] {
  let bytes = 0;
  const lastDroppedIndex = all.findLastIndex((filter, at) => {
    bytes += Buffer.byteLength(JSON.stringify(filter));
    return bytes > bytesMax && at < all.length - 1;
  });
  const newest = all.slice(lastDroppedIndex + 1).slice(-filtersKeptMax);
  const [oldest, ...later] = newest;
  return oldest === undefined || newest.length === all.length ? all : [{ ...oldest, channelEnds: [] }, ...later];
}
