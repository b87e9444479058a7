// The records of an event for a listening source: the trigger of a run, and a delivery that is already complete.
import { logsChannel } from '../../../domain/channel/service/printed-run.ts';
import type { Trigger } from '../../../domain/component/messages.ts';
import type { DeliveryEvent } from '../../../domain/delivery/messages.ts';
import { derivedId } from '../../../domain/id.ts';
import type { Json } from '../../../domain/json.ts';
import type { Millis } from '../../../domain/message.ts';
import { replayedVersion, versionOf } from '../../../domain/shape/version.ts';
import type { BufferedEvent } from '../events/buffer.ts';
import type { SubscriptionTarget } from '../targets/target.ts';
import type { Completed } from '../outcomes/completed.ts';
import { messageIdOf } from '../targets/request.ts';

/** Added to the event's size: envelopes, ids and a channel's name, in two records. */
const recordsOverheadBytes = 4_096;

export interface Given {
  readonly records: readonly Completed[];
  /** An upper estimate of the records' JSON. */
  readonly bytes: number;
}

/** How many sources in a row lead to this event's run. */
export const hopsOf = ({ hops }: BufferedEvent): number => hops + 1;

/** What is given: an event of a subscription's own, or of a replay. */
export interface Giving {
  readonly subscription: SubscriptionTarget;
  /** Undefined: the subscription's own. */
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
  // A replay makes a run of its own.
  const ofReplay = replayId === undefined ? [] : [replayId];
  const id = derivedId('req', 'event', subscriptionId, causationId, ...ofReplay);
  const version = versionOf({ type, data });
  return { id, type, version, key: listenerId, data, at, workspace, correlationId, causationId } satisfies Trigger;
}

function delivered({ subscription, replayId }: Giving, event: BufferedEvent, { id, at }: Trigger): DeliveryEvent {
  const { subscriptionId, listenerId, workspace } = subscription;
  const { emitterId, eventId, channel, correlationId } = event;
  const target = { subscriptionId, webhookId: listenerId, emitterId, eventId, channel };
  const made = { attempt: 1, outcome: 'delivered', startedAt: at, durationMs: 0, nextAttemptAt: null } as const;
  const silent = { status: null, failure: null, message: null, answer: null };
  return {
    id: derivedId('rec', id, 'delivered'),
    type: 'DeliveryAttempted',
    version: replayId === undefined ? 1 : replayedVersion,
    key: subscriptionId,
    data: {
      ...{ ...target, webhookMessageId: messageIdOf(subscriptionId, event), ...made, ...silent },
      ...(replayId === undefined ? {} : { replayId }),
    },
    at,
    workspace,
    correlationId,
    causationId: event.recordId,
  };
}
