// Sets the filter and the transform of a subscription, and waits until the change stands among the events.
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

/** Whether they apply to every event emitted from now on. If not, they will once the change stands among the events. */
export async function setFilter(
  parts: Parts<'commands' | 'log' | 'takenFilters' | 'limits'>,
  caller: Caller,
  { subscriptionId, emitterId }: SubscriptionView,
  change: FilterChange,
): Promise<boolean> {
  const { takenFilters, commands, limits, log } = parts;
  takenFilters.listen();
  const command: Command<UpdateSubscription> = {
    type: 'UpdateSubscription',
    key: subscriptionId,
    data: { subscriptionId, ...change },
  };
  const endings = ['SubscriptionUpdated', 'SubscriptionUpdateRefused'] as const;
  const outcome = await commands.send(caller, command, { endings });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'SubscriptionUpdateRefused') throw refusalProblem(outcome.data);
  const partitions = isEverySource(emitterId) ? log.partitions : 1;
  return takenFilters.inPartitions(outcome.correlationId, partitions, limits.filterMs);
}
