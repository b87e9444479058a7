// Limits filters and transforms to what fits into one append: those of a subscription to every source are written to
// each partition.
import { newestFilters, withFilter } from '../../../domain/delivery/filter/filter-history.ts';
import type { FilterVersion } from '../../../domain/delivery/filter/filter-history.ts';
import { isEverySource } from '../../../domain/delivery/matching.ts';
import type { Listeners } from '../../../domain/listener/listeners.ts';
import { sizes } from '../../../domain/sizes.ts';
import type { LifecycleDecided } from '../output-records.ts';

/** Half of an append, for all partitions together; the other half is for the definitions in the same append. */
const allPartitionsBytesMax = sizes.appendBytes / 2;

/** The newest changes of a subscription that fit if written to so many partitions; always at least the last one. */
export const fittingFilters = (filters: readonly FilterVersion[], partitions: number): readonly FilterVersion[] =>
  newestFilters(filters, allPartitionsBytesMax / partitions);

/** Refuses a filter and transform that an append cannot hold for each partition; returns anything else unchanged. */
export function refuseTooLarge(one: LifecycleDecided, listeners: Listeners, partitions: number): LifecycleDecided {
  if (one.type !== 'SubscriptionCreated' && one.type !== 'SubscriptionUpdated') return one;
  const { subscriptionId, ...change } = one.data;
  const emitterId =
    one.type === 'SubscriptionCreated'
      ? one.data.emitterId
      : listeners.subscriptions.get(subscriptionId)?.triple.emitterId;
  if (emitterId === undefined || !isEverySource(emitterId)) return one;
  const { filter, transform } = change;
  const requested = { ...(filter === undefined ? {} : { filter }), ...(transform === undefined ? {} : { transform }) };
  const after = withFilter(listeners.filters.get(subscriptionId) ?? [], requested).at(-1);
  const bytes = Buffer.byteLength(JSON.stringify(after));
  // Half, so that two fit: events that were emitted before a change still need the filter before it.
  const bytesMax = Math.floor(allPartitionsBytesMax / partitions / 2);
  if (bytes <= bytesMax) return one;
  const message =
    `The filter and the transform take ${bytes} bytes as JSON. For every source they are kept once in each of the ` +
    `${partitions} partitions, so at most ${bytesMax} bytes are taken: make them shorter.`;
  const type = one.type === 'SubscriptionCreated' ? 'SubscriptionCreateRefused' : 'SubscriptionUpdateRefused';
  return { type, data: { subscriptionId, reason: 'malformed', message } };
}
