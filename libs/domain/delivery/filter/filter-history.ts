// The filters that a subscription has had: each holds for the events from a place in each partition of `channels` on.
import type { JsonObject } from '../../json.ts';

export interface FilterSince {
  /** By partition, the offset of the first event that it holds for; absent: the first of all. */
  readonly channelEnds: readonly number[];
  /** Null: every event is wanted. */
  readonly filter: JsonObject | null;
}

/** Earlier ones are forgotten: for events before the changes that are left, the oldest left holds. */
export const filtersKept = 4;

/** In order; a subscription without filters had none from its beginning on. */
export function withFilter(before: readonly FilterSince[], next: FilterSince): readonly FilterSince[] {
  const none: FilterSince = { channelEnds: [], filter: null };
  const all = before.length === 0 ? [none] : before;
  if (JSON.stringify(all.at(-1)?.filter) === JSON.stringify(next.filter)) return all;
  const [oldest = none, ...later] = [...all, next].slice(-filtersKept);
  return [{ ...oldest, channelEnds: [] }, ...later];
}
