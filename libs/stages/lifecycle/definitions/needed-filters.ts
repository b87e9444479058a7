// Refuses a change of a filter or transform if storing it would drop one that events still need.
import { dropsNeeded, withFilter } from '../../../domain/delivery/filter/filter-history.ts';
import { isEverySource } from '../../../domain/delivery/matching.ts';
import type { Listeners } from '../../../domain/listener/listeners.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { LifecycleDecided } from '../output-records.ts';
import { fittingFilters } from './filter-sizes.ts';

const message =
  'There is no room for another filter or transform beside those that events still need: events that wait, are parked ' +
  'or are being replayed go by the ones of their time. Wait until they are delivered, or discard them.';

/** Returns anything else unchanged. `input`: the record that was decided about. */
export function refuseDroppingNeeded(
  one: LifecycleDecided,
  input: RecordOn<'commands' | 'hooks'>,
  listeners: Listeners,
  partitions: number,
): LifecycleDecided {
  if (one.type !== 'SubscriptionUpdated' || input.type !== 'UpdateSubscription') return one;
  const { subscriptionId, ...change } = one.data;
  const emitterId = listeners.subscriptions.get(subscriptionId)?.triple.emitterId;
  if (emitterId === undefined) return one;
  const before = listeners.filters.get(subscriptionId) ?? [];
  const fittingHistory = fittingFilters(withFilter(before, change), isEverySource(emitterId) ? partitions : 1);
  if (!dropsNeeded(before, change, { ...input.data, kept: fittingHistory })) return one;
  return { type: 'SubscriptionUpdateRefused', data: { subscriptionId, reason: 'filters_needed', message } };
}
