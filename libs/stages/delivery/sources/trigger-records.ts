// Builds the records of an event for a listening source: a run's trigger and a completed delivery; or a delivery that
// is parked, because the subscription's transform has failed.
import { logsChannel } from '../../../domain/run/printed-run.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import type { DeliveryEvent, DeliveryTarget } from '../../../domain/delivery/messages.ts';
import type { TransformError } from '../../../domain/delivery/transform/transform.ts';
import { derivedId } from '../../../domain/id.ts';
import type { Json } from '../../../domain/json.ts';
import type { Millis } from '../../../domain/message.ts';
import { replayedVersion, versionOf } from '../../../domain/record/record-version.ts';
import type { BufferedEvent } from '../events/buffer.ts';
import type { SubscriptionTarget } from '../targets/target.ts';
import type { Completed } from '../outcomes/completed.ts';
import { messageIdOf } from '../targets/request.ts';
import { placed } from '../transforms/sender.ts';

/** Added to the event's size: envelopes, ids and a channel's name, in two records. */
const recordsOverheadBytes = 4_096;

export interface Given {
  readonly records: readonly Completed[];
  /** An upper estimate of the records' JSON. */
  readonly bytes: number;
}

/** How many sources in a row lead to this event's run. */
export const hopsOf = ({ hops }: BufferedEvent): number => hops + 1;

/** Whether an event is passed on by the subscription itself or by a replay. */
export interface Giving {
  readonly subscription: SubscriptionTarget;
  /** The replay; undefined: the subscription itself. */
  readonly replayId: string | undefined;
}

export function given(giving: Giving, event: BufferedEvent, at: Millis): Given {
  const trigger = triggerOf(giving, event, at);
  const records = [trigger, delivered(giving, event, trigger)];
  return { records, bytes: Buffer.byteLength(event.body) + recordsOverheadBytes };
}

/** `run` gets the event without an envelope (docs/reference/component-api.md, "Subscriptions as records"). */
function triggerOf({ subscription, replayId }: Giving, event: BufferedEvent, at: Millis) {
  const { subscriptionId, listenerId, workspace } = subscription;
  const type = 'TriggerRequested' as const;
  // Revision 0: the run uses the current one.
  const run = { sourceId: listenerId, kind: 'event', revision: 0, hops: hopsOf(event) } as const;
  const channel = event.channel === logsChannel ? { channel: logsChannel } : {};
  const data: Trigger['data'] = { ...run, ...channel, event: JSON.parse(event.body) as Json };
  const { correlationId, recordId: causationId } = event;
  // A replay starts a separate run.
  const own = replayId === undefined ? [] : [replayId];
  const id = derivedId('req', 'event', subscriptionId, causationId, ...own);
  const version = versionOf({ type, data });
  return { id, type, version, key: listenerId, data, at, workspace, correlationId, causationId } satisfies Trigger;
}

const delivered = (giving: Giving, event: BufferedEvent, { id, at }: Trigger): DeliveryEvent =>
  attempted(giving, event, { id: derivedId('rec', id, 'delivered'), at, outcome: 'delivered' });

/** The records of an event whose transform failed. There is no further attempt except by a replay. */
export function notGiven(
  giving: Giving,
  event: BufferedEvent,
  { error, at }: { readonly error: TransformError; readonly at: Millis },
): Given {
  const { replayId } = giving;
  const of = ['transform', giving.subscription.subscriptionId, event.recordId, replayId ?? ''];
  const failed = { failure: 'transform_failed', message: placed(error) } as const;
  const ended = { id: derivedId('rec', ...of, 'failed'), at, outcome: 'failed', ...failed } as const;
  const attempt = attempted(giving, event, ended);
  const data = { ...targetOf(giving, event), attempts: 1, reason: 'attempts_exhausted', ...ofReplay(giving) } as const;
  const parked: DeliveryEvent = {
    ...attempt,
    id: derivedId('rec', ...of, 'parked'),
    causationId: attempt.id,
    type: 'DeliveryParked',
    data,
  };
  return { records: [attempt, parked], bytes: Buffer.byteLength(JSON.stringify(ended)) + recordsOverheadBytes };
}

interface Ended {
  readonly id: string;
  readonly at: Millis;
  readonly outcome: 'delivered' | 'failed';
  readonly failure?: string;
  readonly message?: string;
}

function attempted(giving: Giving, event: BufferedEvent, { id, at, outcome, ...failed }: Ended): DeliveryEvent {
  const { subscriptionId, workspace } = giving.subscription;
  const made = { attempt: 1, outcome, startedAt: at, durationMs: 0, nextAttemptAt: null } as const;
  const silent = { status: null, failure: null, message: null, answer: null, ...failed };
  return {
    id,
    type: 'DeliveryAttempted',
    version: giving.replayId === undefined ? 1 : replayedVersion,
    key: subscriptionId,
    data: { ...targetOf(giving, event), ...made, ...silent, ...ofReplay(giving) },
    at,
    workspace,
    correlationId: event.correlationId,
    causationId: event.recordId,
  };
}

const ofReplay = ({ replayId }: Giving): { readonly replayId?: string } => (replayId === undefined ? {} : { replayId });

function targetOf({ subscription: { subscriptionId, listenerId } }: Giving, event: BufferedEvent): DeliveryTarget {
  const { emitterId, eventId, channel } = event;
  const webhookMessageId = messageIdOf(subscriptionId, event);
  return { subscriptionId, webhookId: listenerId, emitterId, eventId, channel, webhookMessageId };
}
