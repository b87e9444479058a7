// Makes the records that delivery reads: the workspace's key, its webhooks and subscriptions, and events.
import { secretFromBytes, signingKeyOf } from '../../../libs/domain/delivery/signature.ts';
import type { TopicName } from '../../../libs/domain/flow.ts';
import type { LogRecord } from '../../../libs/domain/message.ts';
import { keyBytes, nonceBytes, seal } from '../../../libs/domain/secrets/seal.ts';
import { wrapKey } from '../../../libs/domain/workspace/keyring.ts';
import type { Outgoing } from '../../../libs/log/log.ts';

const workspace = 'o_0000000000000000';
export const masterKey = Buffer.alloc(keyBytes, 1);
const dataKey = Buffer.alloc(keyBytes, 2);
const nonce = Buffer.alloc(nonceBytes, 3);
const secret = secretFromBytes(Buffer.alloc(24, 4));
/** The signing key of every webhook. */
export const signingKey = signingKeyOf(secret);
const bodyBytes = 1024;
const creation = { createdAt: 1_700_000_000_000, madeBy: null };

/** The body of event `n`, 1 KB of JSON. */
export function eventOf(n: number): { n: number; pad: string } {
  return { n, pad: 'x'.repeat(bodyBytes - JSON.stringify({ n, pad: '' }).length) };
}

/** The workspace's key, and the note that there are no definitions of an earlier program to fold. */
export const firstRecords = (): readonly Outgoing[] => [
  outgoing('keys', recordOf('DataKeyAdded', workspace, wrapKey(masterKey, dataKey, nonce, workspace))),
  ...(['webhooks', 'subscriptions'] as const).map((topic) =>
    outgoing(topic, recordOf('DefinitionsFolded', 'folded', { format: 1 }, `rec_folded_${topic}`)),
  ),
];

export interface WebhookSettings {
  readonly url: string;
  readonly ordered: boolean;
  readonly retrySchedule: readonly number[] | null;
}

export interface SubscriptionSettings {
  readonly webhookId: string;
  readonly subscriptionId: string;
  readonly emitterId: string;
  /** Offset of the first event that the subscription gets. */
  readonly from: number;
}

/** The records of a webhook and its subscription to a source. */
export function definitionsOf(settings: WebhookSettings, subscribed: SubscriptionSettings): readonly Outgoing[] {
  const { webhookId, subscriptionId, emitterId, from } = subscribed;
  const sealedKey = { signingKey: seal(dataKey, secret, nonce, workspace) };
  const webhook = { ...settings, ...creation, ...sealedKey, webhookId, userId: 'u_1', disabled: false };
  const subscription = { ...creation, emitterId, listenerId: webhookId, eventName: null, subscriptionId, from };
  return [
    outgoing('webhooks', recordOf('WebhookDefined', webhookId, { ...webhook, name: null, description: null })),
    outgoing('subscriptions', recordOf('SubscriptionDefined', subscriptionId, subscription)),
  ];
}

/** The record of event `n` of a source. */
export function eventRecord(emitterId: string, n: number, event: object = eventOf(n)): Outgoing {
  const data = {
    emitterId,
    eventId: `1700000000000-${n}`,
    channel: '',
    event,
    emit: {},
    runId: 'run_0000000000000000',
  };
  return outgoing('channels', recordOf('EventEmitted', emitterId, data, `rec_EventEmitted-${n}`));
}

export const outgoing = (topic: TopicName, record: LogRecord): Outgoing => ({ topic, partition: 0, record });

export function recordOf(type: string, key: string, data: unknown, id = `rec_${type}_${key}`): LogRecord {
  return { id, type, version: 1, key, data, at: creation.createdAt, workspace, correlationId: id, causationId: id };
}
