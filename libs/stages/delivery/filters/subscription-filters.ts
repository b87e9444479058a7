// Finds a subscription's filter and transform for an event, and whether the filter leaves the event out.
import type { FilterDefinition } from '../../../domain/listener/definition/messages.ts';
import type { Filter } from '../../../domain/delivery/filter/filter.ts';
import { mismatch } from '../../../domain/delivery/filter/match.ts';
import { readFilter } from '../../../domain/delivery/filter/read-filter.ts';
import type { PlacedChange } from '../../../domain/delivery/messages.ts';
import type { EmittedRecord } from '../events/buffer.ts';

/** A filter and a transform that apply to events from an offset on. */
interface FilterVersion {
  /** The number of the change; 0: it applies without a record among the events. */
  readonly version: number;
  /**
   * The offset of the first event that it applies to; 0: the first filter; Infinity: the record of its change was not
   * read yet.
   */
  from: number;
  /** The offset of the record of its change, also for the first filter; Infinity: it was not read yet. */
  placedAt: number;
  /** Undefined: every event is wanted. */
  readonly filter: Filter | undefined;
  /** Undefined: the event is sent as it is. */
  readonly transform: string | undefined;
}

/** Filters in the order of their offsets; the first applies from the beginning. */
export type SubscriptionFilters = readonly FilterVersion[];

interface WithFilters {
  readonly filters?: SubscriptionFilters | undefined;
}

/** `changes`: the known offsets of changes; a change without one does not apply to any event yet. */
export const filtersOf = (
  { partition, filters }: FilterDefinition['data'],
  changes: readonly PlacedChange[],
): SubscriptionFilters =>
  filters.map(({ channelEnds, version = 0, filter, transform }, index) => {
    const read = filter === null ? undefined : readFilter(filter);
    const known = version > 0 ? changes.find((one) => one.version === version)?.from : channelEnds[partition];
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
export const placedChangesOf = (filters: SubscriptionFilters): readonly PlacedChange[] =>
  filters.flatMap(({ version, placedAt }) =>
    version > 0 && placedAt !== Infinity ? [{ version, from: placedAt }] : [],
  );

/** Sets the place of a change; false: it already has one, or is not among the filters that are kept. */
export function setChangeOffset(filters: SubscriptionFilters, { version, from }: PlacedChange): boolean {
  const change = filters.find((one) => one.version === version);
  if (change?.placedAt !== Infinity) return false;
  change.placedAt = from;
  if (change.from === Infinity) change.from = from;
  return true;
}

/** Whether the event is left out, although it is on the subscription's channel. */
export function isFilteredOut(subscription: WithFilters, { offset, data }: EmittedRecord): boolean {
  const filter = filterAt(subscription, offset)?.filter;
  return filter !== undefined && mismatch(filter, data.event) !== undefined;
}

/** The transform for the event: the same at each attempt, including replays. */
export const transformOf = (subscription: WithFilters, { offset }: { readonly offset: number }): string | undefined =>
  filterAt(subscription, offset)?.transform;

/** The filter and transform for an event at the offset; undefined: the subscription has none. */
export const filterAt = ({ filters }: WithFilters, offset: number): FilterVersion | undefined =>
  filters?.findLast(({ from }) => from <= offset);

/** The offset from which on the filter and transform of an event's time are known; older ones are not kept. */
export function filtersKnownFrom({ filters }: WithFilters): number {
  const oldest = filters?.[0];
  return oldest === undefined || oldest.version === 0 || oldest.placedAt === Infinity ? 0 : oldest.placedAt;
}
