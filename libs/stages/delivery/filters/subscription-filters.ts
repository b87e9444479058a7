// The filters and transforms of subscriptions: whether one leaves an event out, and what is to be made of an event.
import type { FilterDefinition } from '../../../domain/listener/definition/messages.ts';
import type { Filter } from '../../../domain/delivery/filter/filter.ts';
import { mismatch } from '../../../domain/delivery/filter/match.ts';
import { readFilter } from '../../../domain/delivery/filter/read-filter.ts';
import type { PlacedChange } from '../../../domain/delivery/messages.ts';
import type { EmittedRecord } from '../events/buffer.ts';

/** A filter that holds for events from this offset on. */
interface Since {
  /** Of the change; 0: it needs no record among the events. */
  readonly version: number;
  /** Infinity: the record of its change has not been read. */
  from: number;
  /** Undefined: every event is wanted. */
  readonly filter: Filter | undefined;
  /** Undefined: the event is sent as it is. */
  readonly transform: string | undefined;
}

/** In the order of their offsets; the first holds from the beginning. */
export type SubscriptionFilters = readonly Since[];

/** `places`: those that are known; a change without one holds for no event yet. */
export const filtersOf = (
  { partition, filters }: FilterDefinition['data'],
  places: readonly PlacedChange[],
): SubscriptionFilters =>
  filters.map(({ channelEnds, version = 0, filter, transform }, index) => {
    const read = filter === null ? undefined : readFilter(filter);
    const placed = (): number => places.find((one) => one.version === version)?.from ?? Infinity;
    const from = index > 0 && version > 0 ? placed() : (channelEnds[partition] ?? 0);
    return { version, from, filter: read !== undefined && 'filter' in read ? read.filter : undefined, transform };
  });

/** The places that records among the events have given. */
export const placesOf = (filters: SubscriptionFilters): readonly PlacedChange[] =>
  filters.flatMap(({ version, from }, index) =>
    index > 0 && version > 0 && from !== Infinity ? [{ version, from }] : [],
  );

/** Takes the place of a change; false: it has one already, or is not among the filters that are kept. */
export function place(filters: SubscriptionFilters, { version, from }: PlacedChange): boolean {
  const since = filters.find((one) => one.version === version);
  if (since?.from !== Infinity) return false;
  since.from = from;
  return true;
}

/** Whether the event is left out, although it is on the subscription's channel. */
export function isFilteredOut(
  { filters }: { readonly filters?: SubscriptionFilters | undefined },
  { offset, data }: EmittedRecord,
): boolean {
  const filter = filters?.findLast(({ from }) => from <= offset)?.filter;
  return filter !== undefined && mismatch(filter, data.event) !== undefined;
}

/** The transform that holds for the event: the same one at each attempt, replays included. */
export const transformOf = (
  { filters }: { readonly filters?: SubscriptionFilters | undefined },
  { offset }: { readonly offset: number },
): string | undefined => filters?.findLast(({ from }) => from <= offset)?.transform;
