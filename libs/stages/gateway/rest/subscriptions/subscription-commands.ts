// Creating and deleting subscriptions.
import type { Json } from '../../../../domain/json.ts';
import type { ListenerCommand, SubscriptionTriple } from '../../../../domain/listener/messages.ts';
import type { SubscriptionView } from '../../../../domain/views/index.ts';
import type { Command } from '../../commands/commands.ts';
import { refusalProblem } from '../../commands/refusals.ts';
import type { RefusedData } from '../../commands/refusals.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Gateway } from '../../gateway.ts';
import { ApiProblem, unknownOutcome } from '../../rim/api-problem.ts';
import { newResource } from '../new-resource.ts';
import { findOwned } from '../owned.ts';

type CreateSubscription = Extract<ListenerCommand, { type: 'CreateSubscription' }>;
type DeleteSubscription = Extract<ListenerCommand, { type: 'DeleteSubscription' }>;

/** The new one, or the one that the same triple or the same Idempotency-Key made before. */
export async function createSubscription(
  gateway: Gateway,
  caller: Caller,
  triple: SubscriptionTriple,
  idempotencyKey: string | null,
): Promise<SubscriptionView> {
  const { id, fingerprint } = newResource(gateway, caller, 'sub', { idempotencyKey, request: triple });
  const command: Command<CreateSubscription> = {
    type: 'CreateSubscription',
    key: id,
    data: { ...triple, subscriptionId: id, fingerprint },
  };
  const endings = ['SubscriptionCreated', 'SubscriptionCreateRefused'];
  const outcome = await gateway.commands.send(caller, command, { endings });
  if (outcome === undefined) throw unknownOutcome();
  const refusal = outcome.type === 'SubscriptionCreateRefused' ? (outcome.data as RefusedData) : undefined;
  if (refusal !== undefined && refusal.reason !== 'repeated') throw refusalProblem(refusal, missingField(refusal));
  const existing = await findOwned<SubscriptionView>(gateway, caller, 'subscriptions', refusal?.existingId ?? id);
  if (existing === undefined) throw gone();
  return existing;
}

export async function deleteSubscription(gateway: Gateway, caller: Caller, triple: SubscriptionTriple): Promise<void> {
  const { emitterId, listenerId, eventName } = triple;
  const command: Command<DeleteSubscription> = {
    type: 'DeleteSubscription',
    key: `${emitterId}/${listenerId}`,
    data: { emitterId, listenerId, eventName },
  };
  const endings = ['SubscriptionDeleted', 'SubscriptionDeleteRefused'];
  const outcome = await gateway.commands.send(caller, command, { endings });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'SubscriptionDeleteRefused') throw refusalProblem(outcome.data as RefusedData);
}

const gone = (): ApiProblem => new ApiProblem(409, 'gone', 'The subscription was deleted meanwhile: create it again.');

/** Which of the two ids was not found. */
function missingField({ reason }: RefusedData): Json | undefined {
  if (reason === 'webhook_not_found') return { field: 'listener_id' };
  return reason === 'emitter_not_found' ? { field: 'emitter_id' } : undefined;
}
