// Builds the records of an event for a listening source: a run's trigger and a completed delivery; or a delivery that
// is parked, because the subscription's transform has failed.
import { logsChannel } from '../../../domain/run/logs-report.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import type { DeliveryEvent, DeliveryTarget } from '../../../domain/delivery/messages.ts';
import type { TransformError } from '../../../domain/delivery/transform/transform.ts';
import { derivedId } from '../../../domain/id.ts';
import type { Json } from '../../../domain/json.ts';
import type { Millis } from '../../../domain/message.ts';
import { replayedVersion, versionOf } from '../../../domain/record/record-version.ts';
import type { BufferedEvent } from '../events/buffer.ts';
import type { SubscriptionTarget } from '../targets/target.ts';
import type { CompletionRecord } from '../outcomes/completion-records.ts';
import { messageIdOf } from '../targets/request.ts';
import { errorText } from '../transforms/sender.ts';

/** Added to the event's size: envelopes, ids and a channel's name, in two records. */
const recordsOverheadBytes = 4_096;

export interface PassedOnRecords {
  readonly records: readonly CompletionRecord[];
  /** An upper estimate of the records' JSON. */
  readonly bytes: number;
}

/** How many sources in a row lead to this event's run. */
export const hopsOf = ({ hops }: BufferedEvent): number => hops + 1;

/** Whether an event is passed on by the subscription itself or by a replay. */
export interface PassingOn {
  readonly subscription: SubscriptionTarget;
  /** The replay; undefined: the subscription itself. */
  readonly replayId: string | undefined;
}

export function passedOnRecords(passing: PassingOn, event: BufferedEvent, at: Millis): PassedOnRecords {
  const trigger = triggerOf(passing, event, at);
  const records = [trigger, delivered(passing, event, trigger)];
  return { records, bytes: Buffer.byteLength(event.body) + recordsOverheadBytes };
}

/** `run` gets the event without an envelope (docs/reference/component-api.md, "Subscriptions as records"). */
function triggerOf({ subscription, replayId }: PassingOn, event: BufferedEvent, at: Millis) {
  const { subscriptionId, listenerId, workspace } = subscription;
  const type = 'TriggerRequested' as const;
  // Revision 0: the run uses the current one.
  const run = { sourceId: listenerId, kind: 'event', revision: 0, hops: hopsOf(event) } as const;
  const channel = event.channel === logsChannel ? { channel: logsChannel } : {};
  const data: Trigger['data'] = { ...run, ...channel, event: JSON.parse(event.body) as Json };
  const { correlationId, recordId: causationId } = event;
  // A replay starts a separate run.
  const replayPart = replayId === undefined ? [] : [replayId];
  const id = derivedId('req', 'event', subscriptionId, causationId, ...replayPart);
  const version = versionOf({ type, data });
  return { id, type, version, key: listenerId, data, at, workspace, correlationId, causationId } satisfies Trigger;
}

const delivered = (passing: PassingOn, event: BufferedEvent, { id, at }: Trigger): DeliveryEvent =>
  attempted(passing, event, { id: derivedId('rec', id, 'delivered'), at, outcome: 'delivered' });

/** The records of an event whose transform failed. There is no further attempt except by a replay. */
export function failedTransformRecords(
  passing: PassingOn,
  event: BufferedEvent,
  { error, at }: { readonly error: TransformError; readonly at: Millis },
): PassedOnRecords {
  const { replayId } = passing;
  const idParts = ['transform', passing.subscription.subscriptionId, event.recordId, replayId ?? ''];
  const failureFields = { failure: 'transform_failed', message: errorText(error) } as const;
  const attemptEnd = { id: derivedId('rec', ...idParts, 'failed'), at, outcome: 'failed', ...failureFields } as const;
  const attempt = attempted(passing, event, attemptEnd);
  const data = {
    ...targetOf(passing, event),
    attempts: 1,
    reason: 'attempts_exhausted',
    ...ofReplay(passing),
  } as const;
  const parked: DeliveryEvent = {
    ...attempt,
    id: derivedId('rec', ...idParts, 'parked'),
    causationId: attempt.id,
    type: 'DeliveryParked',
    data,
  };
  return { records: [attempt, parked], bytes: Buffer.byteLength(JSON.stringify(attemptEnd)) + recordsOverheadBytes };
}

interface Ended {
  readonly id: string;
  readonly at: Millis;
  readonly outcome: 'delivered' | 'failed';
  readonly failure?: string;
  readonly message?: string;
}

function attempted(passing: PassingOn, event: BufferedEvent, { id, at, outcome, ...failed }: Ended): DeliveryEvent {
  const { subscriptionId, workspace } = passing.subscription;
  const attemptFields = { attempt: 1, outcome, startedAt: at, durationMs: 0, nextAttemptAt: null } as const;
  const noAnswer = { status: null, failure: null, message: null, answer: null, ...failed };
  return {
    id,
    type: 'DeliveryAttempted',
    version: passing.replayId === undefined ? 1 : replayedVersion,
    key: subscriptionId,
    data: { ...targetOf(passing, event), ...attemptFields, ...noAnswer, ...ofReplay(passing) },
    at,
    workspace,
    correlationId: event.correlationId,
    causationId: event.recordId,
  };
}

const ofReplay = ({ replayId }: PassingOn): { readonly replayId?: string } =>
  replayId === undefined ? {} : { replayId };

function targetOf({ subscription: { subscriptionId, listenerId } }: PassingOn, event: BufferedEvent): DeliveryTarget {
  const { emitterId, eventId, channel } = event;
  const webhookMessageId = messageIdOf(subscriptionId, event);
  return { subscriptionId, webhookId: listenerId, emitterId, eventId, channel, webhookMessageId };
}
