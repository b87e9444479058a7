// Sets the filter and the transform of a subscription, and waits until the change has its place among the events.
import { isEverySource } from '../../../../../domain/delivery/matching.ts';
import type { FilterChange } from '../../../../../domain/delivery/filter/filter-history.ts';
import type { ListenerCommand } from '../../../../../domain/listener/messages.ts';
import type { SubscriptionView } from '../../../../../domain/views/index.ts';
import type { Command } from '../../../commands/commands.ts';
import { refusalProblem } from '../../../commands/refusals.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { unknownOutcome } from '../../../http/api-problem.ts';

type UpdateSubscription = Extract<ListenerCommand, { type: 'UpdateSubscription' }>;

const endings = ['SubscriptionUpdated', 'SubscriptionUpdateRefused'] as const;

/** True: they apply to every event emitted from now on. False: they will, once the change is among the events. */
export async function applyFilterChange(
  parts: Parts<'commands' | 'log' | 'takenFilters' | 'neededFilters' | 'limits'>,
  caller: Caller,
  subscription: SubscriptionView,
  change: FilterChange,
): Promise<boolean> {
  const { takenFilters, limits, log } = parts;
  takenFilters.listen();
  let outcome = await sendUpdate(parts, caller, subscription, change);
  if (outcome.type === 'SubscriptionUpdateRefused' && outcome.data.reason === 'filters_needed') {
    // There is no room: filters that no event needs any more can be removed.
    const needed = await parts.neededFilters.find(caller, subscription);
    outcome = await sendUpdate(parts, caller, subscription, { ...change, ...needed });
  }
  if (outcome.type === 'SubscriptionUpdateRefused') throw refusalProblem(outcome.data);
  const partitions = isEverySource(subscription.emitterId) ? log.partitions : 1;
  return takenFilters.waitForPartitions(outcome.correlationId, partitions, limits.filterMs);
}

async function sendUpdate(
  { commands }: Parts<'commands'>,
  caller: Caller,
  { subscriptionId }: SubscriptionView,
  change: Omit<UpdateSubscription['data'], 'subscriptionId'>,
) {
  const data = { subscriptionId, ...change };
  const command: Command<UpdateSubscription> = { type: 'UpdateSubscription', key: subscriptionId, data };
  const outcome = await commands.send(caller, command, { endings });
  if (outcome === undefined) throw unknownOutcome();
  return outcome;
}
