// Creating and deleting subscriptions.
import type { Json, JsonObject } from '../../../../domain/json.ts';
import type { ListenerCommand, SubscriptionTriple } from '../../../../domain/listener/messages.ts';
import { subscriptionsView } from '../../../../domain/views/subscriptions.view.ts';
import type { SubscriptionView } from '../../../../domain/views/subscriptions.view.ts';
import type { Command } from '../../commands/commands.ts';
import { refusalProblem } from '../../commands/refusals.ts';
import type { RefusedData } from '../../commands/refusals.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { OutcomeOf } from '../../control/outcomes.ts';
import type { Gateway } from '../../gateway.ts';
import { unknownOutcome } from '../../http/api-problem.ts';
import { newResource } from '../new-resource.ts';
import { findShown } from '../owned.ts';

type CreateSubscription = Extract<ListenerCommand, { type: 'CreateSubscription' }>;
type DeleteSubscription = Extract<ListenerCommand, { type: 'DeleteSubscription' }>;

/** The new one, or the one that the same triple or the same Idempotency-Key made before. */
export async function createSubscription(
  gateway: Gateway,
  caller: Caller,
  asked: SubscriptionTriple & { readonly filter: JsonObject | null },
  idempotencyKey: string | null,
): Promise<SubscriptionView> {
  const { filter, ...triple } = asked;
  // Without a filter the same as earlier programs took it for.
  const request = filter === null ? triple : asked;
  const { id, repeatable } = newResource(gateway, caller, 'sub', { idempotencyKey, request });
  const command: Command<CreateSubscription> = {
    type: 'CreateSubscription',
    key: id,
    data: { ...triple, subscriptionId: id, ...repeatable, ...(filter === null ? {} : { filter }) },
  };
  const endings = ['SubscriptionCreated', 'SubscriptionCreateRefused'] as const;
  const outcome = await gateway.commands.send(caller, command, { endings });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'SubscriptionCreated') return made(outcome);
  const refusal = outcome.data;
  if (refusal.reason !== 'repeated') throw refusalProblem(refusal, missingField(refusal));
  return findShown<SubscriptionView>(gateway, caller, 'subscriptions', refusal.existingId ?? id);
}

export async function deleteSubscription(gateway: Gateway, caller: Caller, triple: SubscriptionTriple): Promise<void> {
  const { emitterId, listenerId, eventName } = triple;
  const command: Command<DeleteSubscription> = {
    type: 'DeleteSubscription',
    key: `${emitterId}/${listenerId}`,
    data: { emitterId, listenerId, eventName },
  };
  const endings = ['SubscriptionDeleted', 'SubscriptionDeleteRefused'] as const;
  const outcome = await gateway.commands.send(caller, command, { endings });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'SubscriptionDeleteRefused') throw refusalProblem(outcome.data);
}

/** As the views will hold it, so that the answer does not depend on them. */
function made(record: OutcomeOf<'SubscriptionCreated'>): SubscriptionView {
  const view = subscriptionsView.evolve(undefined, record);
  if (view === undefined) throw new Error('a created subscription has no view');
  return view;
}

/** Which of the two ids was not found. */
function missingField({ reason }: RefusedData): Json | undefined {
  if (reason === 'webhook_not_found' || reason === 'listener_not_found') return { field: 'listener_id' };
  return reason === 'emitter_not_found' ? { field: 'emitter_id' } : undefined;
}
