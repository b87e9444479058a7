// The filters and transforms that a subscription has had: each holds from a place in each partition of `channels` on.
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
  /** Null: every event is wanted. */
  readonly filter: JsonObject | null;
  /** What is made of the events before they are sent, as source text; absent: nothing. */
  readonly transform?: string;
}

/** What a change sets; absent: as before. Null: none from now on. */
export interface FilterChange {
  readonly filter?: JsonObject | null;
  readonly transform?: string | null;
}

export interface FiltersNeededAsked {
  readonly subscriptionId: string;
  /** The gateway that waits for the answer. */
  readonly replyTo: string;
}

/** Which filters events still need, as delivery has answered; absent: they may need all. */
export interface FiltersNeeded {
  /** Events need no filter of an older version. */
  readonly neededFrom?: number;
  /** By partition, the lowest offset on `channels` of an event that is needed: it tells entries of earlier programs apart. */
  readonly neededAt?: readonly { readonly partition: number; readonly offset: number }[];
}

/**
 * Filters of one subscription that are kept, the newest. One that an event may still need is never dropped for another
 * (`lacksNeeded`).
 */
export const filtersKeptMax = 256;
/** Names of fields and numbers of a change. */
const envelopeBytes = 128;
/** All kept filters of a subscription as JSON: as much as four of the largest. */
const keptBytesMax = 4 * (filterBytesMax + sizes.transformBytes + envelopeBytes);

/** The number of the newest change; 0: there was none. */
export const newestVersion = (filters: readonly FilterSince[]): number =>
  Math.max(0, ...filters.map(({ version = 0 }) => version));

type Change = FilterChange & Partial<Pick<FilterSince, 'channelEnds'>>;

/** In order; a subscription without filters had none from its beginning on. `channelEnds`: of an earlier program. */
export const withFilter = (before: readonly FilterSince[], change: Change): readonly FilterSince[] =>
  keptFilters(withAll(before, change), keptBytesMax);

/** None is dropped to make room. */
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

/** The newest that have at most so many bytes together as JSON; the last one always stays. */
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
