// Creates and deletes subscriptions.
import { isEverySource } from '../../../../domain/delivery/matching.ts';
import type { Json, JsonObject } from '../../../../domain/json.ts';
import type { ListenerCommand, SubscriptionTriple } from '../../../../domain/listener/messages.ts';
import { logsChannel } from '../../../../domain/run/logs-report.ts';
import { auditChannel } from '../../../../domain/service-channels/witness.ts';
import { subscriptionsView } from '../../../../domain/views/subscriptions.view.ts';
import type { SubscriptionView } from '../../../../domain/views/subscriptions.view.ts';
import type { Command } from '../../commands/commands.ts';
import { refusalProblem } from '../../commands/refusals.ts';
import type { RefusedData } from '../../commands/refusals.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { OutcomeOf } from '../../control/waiting/outcomes.ts';
import type { Parts } from '../../parts/parts.ts';
import { unknownOutcome } from '../../http/api-problem.ts';
import { problemsOf } from '../../http/input/field-problem.ts';
import type { PositionInput } from '../../http/pages/position.ts';
import { newResource } from '../new-resource.ts';
import { findShown } from '../owned-documents.ts';
import { resolvePosition } from './replays/resolve-position.ts';
import { checkTransform } from './transform/check-transform.ts';

type CreateSubscription = Extract<ListenerCommand, { type: 'CreateSubscription' }>;
type DeleteSubscription = Extract<ListenerCommand, { type: 'DeleteSubscription' }>;

export interface SubscriptionInput {
  readonly start: PositionInput;
  readonly filter: JsonObject | null;
  readonly transform: string | null;
}

/** The new subscription, or the one that the same triple or Idempotency-Key created before. */
export async function createSubscription(
  parts: Parts<'secrets' | 'views' | 'log' | 'limits' | 'beginnings' | 'commands' | 'transforms' | 'ambient'>,
  caller: Caller,
  { start: startInput, filter, transform, ...triple }: SubscriptionTriple & SubscriptionInput,
  idempotencyKey: string | null,
): Promise<SubscriptionView> {
  checkChannel(triple);
  const optionalFields = { ...(filter === null ? {} : { filter }), ...(transform === null ? {} : { transform }) };
  // Without a start, a filter and a transform, the request has the same fingerprint as in earlier programs.
  const request = { ...triple, ...(startInput === 'now' ? {} : { start: startInput }), ...optionalFields };
  const { id, repeatable } = newResource(parts, caller, 'sub', { idempotencyKey, request });
  await checkTransform(parts, caller, { ...triple, subscriptionId: id }, transform);
  const start = startInput === 'now' ? {} : await startOf(parts, caller, startInput, triple);
  const command: Command<CreateSubscription> = {
    type: 'CreateSubscription',
    key: id,
    data: { ...triple, subscriptionId: id, ...repeatable, ...start, ...optionalFields },
  };
  const endings = ['SubscriptionCreated', 'SubscriptionCreateRefused'] as const;
  const outcome = await parts.commands.send(caller, command, { endings });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'SubscriptionCreated') return createdView(outcome);
  const refusal = outcome.data;
  if (refusal.reason !== 'repeated') throw refusalProblem(refusal, missingField(refusal));
  return findShown<SubscriptionView>(parts, caller, 'subscriptions', refusal.existingId ?? id);
}

/** Throws ApiProblem 400 if the channel's events are of no source, and the subscription is to one. */
function checkChannel({ emitterId, eventName }: SubscriptionTriple): void {
  if (eventName !== auditChannel || isEverySource(emitterId)) return;
  const message = `event_name cannot be ${auditChannel} with one source, since its events are of no source: subscribe to every source`;
  throw problemsOf([{ field: 'event_name', message }]);
}

/** ADR 0037. */
const onlyForSubscribers = 'its events are made only once there is a subscription, so there are none from before';

const startProblem = (message: string): Error => problemsOf([{ field: 'start', message: `start: ${message}` }]);

/** An event is a position only among the events of its own source. */
async function startOf(
  parts: Parts<'views' | 'log' | 'limits' | 'beginnings' | 'ambient'>,
  caller: Caller,
  startInput: PositionInput,
  { emitterId, eventName }: SubscriptionTriple,
): Promise<Pick<CreateSubscription['data'], 'start' | 'startsAt'>> {
  if (eventName === logsChannel) throw startProblem(`must be "now" with ${logsChannel}: ${onlyForSubscribers}`);
  if (isEverySource(emitterId) && typeof startInput === 'object' && 'event_id' in startInput)
    throw startProblem(`to begin with an event, name its source as emitter_id, not ${emitterId}`);
  const start = await resolvePosition(parts, caller, startInput, { field: 'start', emitterId, eventName });
  if (start.by !== 'time') return { start };
  return { start, startsAt: await parts.beginnings.find(caller.workspace, emitterId, start.value) };
}

export async function deleteSubscription(
  parts: Parts<'commands'>,
  caller: Caller,
  triple: SubscriptionTriple,
): Promise<void> {
  const { emitterId, listenerId, eventName } = triple;
  const command: Command<DeleteSubscription> = {
    type: 'DeleteSubscription',
    key: `${emitterId}/${listenerId}`,
    data: { emitterId, listenerId, eventName },
  };
  const endings = ['SubscriptionDeleted', 'SubscriptionDeleteRefused'] as const;
  const outcome = await parts.commands.send(caller, command, { endings });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'SubscriptionDeleteRefused') throw refusalProblem(outcome.data);
}

/** The subscription as the views will show it, so that the answer need not wait for them. */
function createdView(record: OutcomeOf<'SubscriptionCreated'>): SubscriptionView {
  const view = subscriptionsView.evolve(undefined, record);
  if (view === undefined) throw new Error('a created subscription has no view');
  return view;
}

/** Which of the two ids was not found. */
function missingField({ reason }: RefusedData): Json | undefined {
  if (reason === 'webhook_not_found' || reason === 'listener_not_found') return { field: 'listener_id' };
  return reason === 'emitter_not_found' ? { field: 'emitter_id' } : undefined;
}
