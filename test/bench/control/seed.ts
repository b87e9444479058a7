// Appends sources and subscriptions to a stopped product's log, as if each had been deployed and created.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { partitionOf } from '../../../libs/domain/flow.ts';
import type { TopicName } from '../../../libs/domain/flow.ts';
import { idBytes, idFromBytes } from '../../../libs/domain/id.ts';
import type { IdPrefix } from '../../../libs/domain/id.ts';
import type { LogRecord } from '../../../libs/domain/message.ts';
import type { Outgoing, Writer } from '../../../libs/log/log.ts';
import { SqliteLog } from '../../../libs/log/sqlite/sqlite-log.ts';

/** The partitions of the embedded engine's log. */
export const partitions = 4;
/** Sources in one append, with about 3 KB of records each. */
const batchSize = 1_000;
const at = 1_700_000_000_000;
const code =
  `module.exports = { name: 'Idle', version: '0.0.1', props: { http: '$.interface.http' }, run() {} };`.padEnd(1_000);
const manifest = {
  name: 'Idle',
  version: '0.0.1',
  type: 'source',
  hooks: [],
  methods: [],
  additionalProps: false,
  props: [{ name: 'http', type: '$.interface.http' }],
};
const sealed = { $sealed: Buffer.alloc(64, 1).toString('base64') };

export const randomId = (prefix: IdPrefix): string => idFromBytes(prefix, randomBytes(idBytes));

export async function withLog<T>(dataDir: string, work: (log: SqliteLog) => Promise<T>): Promise<T> {
  const log = await SqliteLog.open({ file: join(dataDir, 'log.sqlite'), partitions });
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}

/** Returns the ids of the sources. */
export async function seedSources(log: SqliteLog, workspace: string, count: number): Promise<readonly string[]> {
  const lifecycle = await log.own('lifecycle', 0);
  const ids = Array.from({ length: count }, () => randomId('dc'));
  for (let from = 0; from < count; from += batchSize)
    await deploy(lifecycle, workspace, ids.slice(from, from + batchSize));
  await lifecycle.release();
  return ids;
}

async function deploy(lifecycle: Writer, workspace: string, ids: readonly string[]): Promise<void> {
  const keys = new Map(ids.map((sourceId) => [sourceId, randomBytes(16).toString('hex')]));
  const facts = ids.flatMap((sourceId) => {
    const revision = 1;
    const endpointKey = keys.get(sourceId) ?? '';
    const base = { sourceId, revision, fingerprint: null };
    const deploying = { ...base, userId: 'u_1', code, codeHash: 'h', requestedName: null, endpointKey };
    return [
      outgoing('components', {
        type: 'SourceDeploying',
        key: sourceId,
        data: { ...deploying, configuredProps: sealed },
        workspace,
      }),
      outgoing('components', {
        type: 'SourceConfigured',
        key: sourceId,
        data: { sourceId, revision, manifest, name: 'Idle', nameSlug: sourceId, props: {} },
        workspace,
      }),
      outgoing('components', {
        type: 'SourceDeployed',
        key: sourceId,
        data: { sourceId, revision, console: [] },
        workspace,
      }),
    ];
  });
  const offsets = await lifecycle.append(facts, lifecycle.mark.positions);
  const definitions = ids.map((sourceId, i) => {
    const factOffsets = { codeFrom: offsets[3 * i] ?? 0, configuredFrom: offsets[3 * i + 1] ?? 0 };
    const source = { sourceId, status: 'deployed', revision: 1, createdAt: at, madeBy: null, requestedName: null };
    const ended = { configuredProps: null, hooks: [], ended: [], console: [], nameSlug: sourceId };
    const data = {
      ...source,
      ...ended,
      endpointKey: keys.get(sourceId) ?? '',
      http: { customResponse: false },
      ...factOffsets,
    };
    return outgoing('sources', { type: 'SourceDefined', key: sourceId, data, workspace });
  });
  await lifecycle.append(definitions, lifecycle.mark.positions);
}

export interface SubscriptionSeed {
  readonly workspace: string;
  readonly listenerId: string;
  readonly sourceIds: readonly string[];
}

/** Subscribes the webhook to each source. */
export async function seedSubscriptions(log: SqliteLog, seed: SubscriptionSeed): Promise<void> {
  const lifecycle = await log.own('lifecycle', 0);
  const { workspace, listenerId, sourceIds } = seed;
  for (let from = 0; from < sourceIds.length; from += batchSize) {
    const records = sourceIds.slice(from, from + batchSize).flatMap((emitterId) => {
      const subscriptionId = randomId('sub');
      const triple = { emitterId, listenerId, eventName: null, subscriptionId };
      const created = { ...triple, fingerprint: null, channelEnds: Array.from({ length: partitions }, () => 0) };
      const defined = { ...triple, createdAt: at, madeBy: null, from: 0 };
      return [
        outgoing('listeners', { type: 'SubscriptionCreated', key: subscriptionId, data: created, workspace }),
        {
          ...outgoing('subscriptions', { type: 'SubscriptionDefined', key: subscriptionId, data: defined, workspace }),
          partition: partitionOf(emitterId, partitions),
        },
      ];
    });
    await lifecycle.append(records, lifecycle.mark.positions);
  }
  await lifecycle.release();
}

export interface DeleteSeed {
  readonly workspace: string;
  readonly sourceIds: readonly string[];
  readonly webhookIds: readonly [first: string, last: string];
}

/** Requests deletes: of one webhook first, then of the sources, and of another webhook last. */
export async function requestDeletes(log: SqliteLog, { workspace, sourceIds, webhookIds }: DeleteSeed): Promise<void> {
  const [first, last] = webhookIds;
  const request = async (type: string, key: string, data: object): Promise<void> => {
    const { record } = outgoing('listeners', { type, key, data, workspace });
    await log.request({ topic: 'commands', partition: 0, record });
  };
  await request('DeleteWebhook', first, { webhookId: first });
  for (let from = 0; from < sourceIds.length; from += batchSize) {
    const ids = sourceIds.slice(from, from + batchSize);
    await Promise.all(ids.map((sourceId) => request('DeleteSource', sourceId, { sourceId })));
  }
  await request('DeleteWebhook', last, { webhookId: last });
}

const singlePartitionTopics: ReadonlySet<TopicName> = new Set<TopicName>(['listeners', 'webhooks']);

type RecordInput = Pick<LogRecord, 'type' | 'key' | 'data' | 'workspace'>;

function outgoing(topic: TopicName, { type, key, data, workspace }: RecordInput): Outgoing {
  const id = randomId('rec');
  const record: LogRecord = { id, type, version: 1, key, data, at, workspace, correlationId: id, causationId: id };
  return { topic, partition: singlePartitionTopics.has(topic) ? 0 : partitionOf(key, partitions), record };
}
