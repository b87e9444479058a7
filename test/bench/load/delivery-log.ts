// A log on disk that holds one source's events and one subscription to them, as the other stages would have left it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeLater } from '../../support/processes/left-behind.ts';
import { secretFromBytes, signingKeyOf } from '../../../libs/domain/delivery/signature.ts';
import type { LogRecord } from '../../../libs/domain/message.ts';
import { wrapKey } from '../../../libs/domain/workspace/keyring.ts';
import { keyBytes, nonceBytes, seal } from '../../../libs/domain/secrets/seal.ts';
import type { Log, Outgoing } from '../../../libs/log/log.ts';
import { SqliteLog } from '../../../libs/log/sqlite/sqlite-log.ts';

const workspace = 'o_0000000000000000';
const sourceId = 'dc_0000000000000000';
const webhookId = 'wh_0000000000000000';
const subscriptionId = 'sub_0000000000000000';
export const masterKey = Buffer.alloc(keyBytes, 1);
const dataKey = Buffer.alloc(keyBytes, 2);
const nonce = Buffer.alloc(nonceBytes, 3);
const secret = secretFromBytes(Buffer.alloc(24, 4));
export const signingKey = signingKeyOf(secret);

const batchRecords = 500;
const bodyBytes = 1024;

/** Of the webhook. */
export interface Policy {
  readonly ordered: boolean;
  readonly retrySchedule?: readonly number[] | null;
}

/** The body of event `n`, 1 KB of JSON. */
export function eventOf(n: number): { n: number; pad: string } {
  return { n, pad: 'x'.repeat(bodyBytes - JSON.stringify({ n, pad: '' }).length) };
}

/** With `count` events that wait for delivery to `url`. */
export async function deliveryLog(url: string, policy: Policy, count: number): Promise<[Log, () => Promise<void>]> {
  const directory = removeLater(mkdtempSync(join(tmpdir(), 'delivery-')));
  const log = await SqliteLog.open({ file: join(directory, 'log.sqlite'), partitions: 1 });
  await subscribe(log, url, policy);
  const runtime = await log.own('runtime', 0);
  for (let from = 0; from < count; from += batchRecords) {
    const numbers = Array.from({ length: Math.min(batchRecords, count - from) }, (_, i) => from + i);
    await runtime.append(numbers.map(emitted), {});
  }
  const close = async (): Promise<void> => {
    await log.close();
    rmSync(directory, { recursive: true });
  };
  return [log, close];
}

/** From what is emitted next on. */
export async function subscribe(log: Log, url: string, policy: Policy): Promise<void> {
  const lifecycle = await log.own('lifecycle', 0);
  await lifecycle.append(controlPlane(url, policy, await log.end('channels', 0)), {});
}

function controlPlane(url: string, { ordered, retrySchedule = null }: Policy, channelEnd: number): Outgoing[] {
  const made = { createdAt: 1_700_000_000_000, madeBy: null };
  const settings = { ...made, url, name: null, description: null, ordered, retrySchedule, disabled: false };
  const webhook = { ...settings, webhookId, userId: 'u_1', signingKey: seal(dataKey, secret, nonce, workspace) };
  const triple = { emitterId: sourceId, listenerId: webhookId, eventName: null };
  const subscription = { ...triple, ...made, subscriptionId, from: channelEnd };
  const records: readonly (readonly ['keys' | 'webhooks' | 'subscriptions', string, string, unknown])[] = [
    ['keys', 'DataKeyAdded', workspace, wrapKey(masterKey, dataKey, nonce, workspace)],
    ['webhooks', 'WebhookDefined', webhookId, webhook],
    ['webhooks', 'DefinitionsFolded', 'folded', { format: 1 }],
    ['subscriptions', 'SubscriptionDefined', subscriptionId, subscription],
    ['subscriptions', 'DefinitionsFolded', 'folded', { format: 1 }],
  ];
  return records.map(([topic, type, key, data]) => ({ topic, partition: 0, record: recordOf(type, key, data) }));
}

export function emitted(n: number): Outgoing {
  const event = { emitterId: sourceId, eventId: `1700000000000-${n}`, channel: '', event: eventOf(n) };
  const data = { ...event, emit: {}, runId: 'run_0000000000000000' };
  return { topic: 'channels', partition: 0, record: recordOf('EventEmitted', sourceId, data, `-${n}`) };
}

function recordOf(type: string, key: string, data: unknown, suffix = ''): LogRecord {
  const id = `rec_${type}${suffix}`;
  return { id, type, version: 1, key, data, at: 1_700_000_000_000, workspace, correlationId: id, causationId: id };
}
