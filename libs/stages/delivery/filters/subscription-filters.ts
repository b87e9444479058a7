// The filters and transforms of subscriptions: whether one leaves an event out, and what is to be made of an event.
import type { FilterDefinition } from '../../../domain/listener/definition/messages.ts';
import type { Filter } from '../../../domain/delivery/filter/filter.ts';
import { mismatch } from '../../../domain/delivery/filter/match.ts';
import { readFilter } from '../../../domain/delivery/filter/read-filter.ts';
import type { PlacedChange } from '../../../domain/delivery/messages.ts';
import type { EmittedRecord } from '../events/buffer.ts';

/** A filter that holds for events from this offset on. */
interface Since {
  /** The number of the change; 0: it holds without a record among the events. */
  readonly version: number;
  /**
   * The offset of the first event that it holds for; 0 for the first filter; Infinity: the record of its change was not
   * read yet.
   */
  from: number;
  /** The offset of that record, also for the first filter; Infinity: it was not read yet. */
  placedAt: number;
  /** Undefined: every event is wanted. */
  readonly filter: Filter | undefined;
  /** Undefined: the event is sent as it is. */
  readonly transform: string | undefined;
}

/** In the order of their offsets; the first holds from the beginning. */
export type SubscriptionFilters = readonly Since[];

interface Filtered {
  readonly filters?: SubscriptionFilters | undefined;
}

/** `places`: those that are known; a change without one holds for no event yet. */
export const filtersOf = (
  { partition, filters }: FilterDefinition['data'],
  places: readonly PlacedChange[],
): SubscriptionFilters =>
  filters.map(({ channelEnds, version = 0, filter, transform }, index) => {
    const read = filter === null ? undefined : readFilter(filter);
    const known = version > 0 ? places.find((one) => one.version === version)?.from : channelEnds[partition];
    const placedAt = known ?? (version > 0 ? Infinity : 0);
    const from = index === 0 && version > 0 ? 0 : placedAt;
    return {
      version,
      from,
      placedAt,
      filter: read !== undefined && 'filter' in read ? read.filter : undefined,
      transform,
    };
  });

/** The changes whose records among the events were read, each with its offset. */
export const placesOf = (filters: SubscriptionFilters): readonly PlacedChange[] =>
  filters.flatMap(({ version, placedAt }) =>
    version > 0 && placedAt !== Infinity ? [{ version, from: placedAt }] : [],
  );

/** Takes the place of a change; false: it has one already, or is not among the filters that are kept. */
export function place(filters: SubscriptionFilters, { version, from }: PlacedChange): boolean {
  const since = filters.find((one) => one.version === version);
  if (since?.placedAt !== Infinity) return false;
  since.placedAt = from;
  if (since.from === Infinity) since.from = from;
  return true;
}

/** Whether the event is left out, although it is on the subscription's channel. */
export function isFilteredOut(filtered: Filtered, { offset, data }: EmittedRecord): boolean {
  const filter = filterAt(filtered, offset)?.filter;
  return filter !== undefined && mismatch(filter, data.event) !== undefined;
}

/** The transform that holds for the event: the same one at each attempt, replays included. */
export const transformOf = (filtered: Filtered, { offset }: { readonly offset: number }): string | undefined =>
  filterAt(filtered, offset)?.transform;

/** The filter and transform for an event at the offset; undefined: the subscription has none. */
export const filterAt = ({ filters }: Filtered, offset: number): Since | undefined =>
  filters?.findLast(({ from }) => from <= offset);

/** The offset from which on the filter and transform of an event's own time are known; older ones are not kept. */
export function keptFrom({ filters }: Filtered): number {
  const oldest = filters?.[0];
  return oldest === undefined || oldest.version === 0 || oldest.placedAt === Infinity ? 0 : oldest.placedAt;
}
