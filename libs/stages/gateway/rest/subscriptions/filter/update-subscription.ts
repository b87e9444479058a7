// Sets the filter of a subscription, and waits until delivery applies it.
import { isEveryEmitter } from '../../../../../domain/delivery/matching.ts';
import type { JsonObject } from '../../../../../domain/json.ts';
import type { ListenerCommand } from '../../../../../domain/listener/messages.ts';
import type { SubscriptionView } from '../../../../../domain/views/index.ts';
import type { Command } from '../../../commands/commands.ts';
import { refusalProblem } from '../../../commands/refusals.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Gateway } from '../../../gateway.ts';
import { unknownOutcome } from '../../../http/api-problem.ts';

type UpdateSubscription = Extract<ListenerCommand, { type: 'UpdateSubscription' }>;

/** Whether the filter holds for every event emitted from now on; if not, it will once delivery has read it. */
export async function setFilter(
  gateway: Gateway,
  caller: Caller,
  { subscriptionId, emitterId }: SubscriptionView,
  filter: JsonObject | null,
): Promise<boolean> {
  const { takenFilters, commands, limits, log } = gateway;
  takenFilters.listen();
  const command: Command<UpdateSubscription> = {
    type: 'UpdateSubscription',
    key: subscriptionId,
    data: { subscriptionId, filter },
  };
  const endings = ['SubscriptionUpdated', 'SubscriptionUpdateRefused'] as const;
  const outcome = await commands.send(caller, command, { endings });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'SubscriptionUpdateRefused') throw refusalProblem(outcome.data);
  const partitions = isEveryEmitter(emitterId) ? log.partitions : 1;
  return takenFilters.inPartitions(outcome.correlationId, partitions, limits.filterMs);
}
