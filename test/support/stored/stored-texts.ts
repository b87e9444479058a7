// Reads everything that a product has stored, as text by place: what a thief of its disks and servers could read.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { partitionCount, topicNames } from '../../../libs/domain/flow.ts';
import { viewDefinitions } from '../../../libs/domain/views/index.ts';
import type { TopicName } from '../../../libs/domain/flow.ts';
import { KafkaLog } from '../../../libs/log/kafka/kafka-log.ts';
import { SqliteLog } from '../../../libs/log/sqlite/sqlite-log.ts';
import { SqliteViewStore } from '../../../libs/view-store/sqlite/sqlite-view-store.ts';
import { engine, serversFor } from '../engine.ts';

/** Far more than one story writes to a partition. */
const partitionLimits = { recordsMax: 10_000, bytesMax: 64 * 1024 * 1024 };

/** The partitions of the embedded engine. */
const embeddedPartitions = 4;

/**
 * Raw files, except the two that contain only a key, and every record and document in readable form, because a file can
 * contain it packed. The product must have ended.
 */
export async function readStoredTexts(dataDir: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const file of await filesOf(dataDir)) texts.set(file, await readFile(file, 'latin1'));
  const views = engine === 'embedded' ? await documentsOf(dataDir) : await collectionsOf(dataDir);
  for (const part of [await topicsOf(dataDir), views]) for (const [location, text] of part) texts.set(location, text);
  return texts;
}

/** The command line of every process of this machine. */
export async function commandLines(): Promise<string> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(processes.map((id) => readFile(`/proc/${id}/cmdline`, 'latin1').catch(() => '')));
  return lines.join('\n');
}

async function filesOf(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const keyFiles = ['api-key', 'master-key'];
  return entries
    .filter((entry) => entry.isFile() && !keyFiles.includes(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

async function topicsOf(dataDir: string): Promise<Map<string, string>> {
  const log = await openLog(dataDir);
  const texts = new Map<string, string>();
  try {
    for (const [topic, partition] of allPartitions(log.partitions)) {
      const { records } = await log.read(topic, partition, 0, partitionLimits);
      if (records.length > 0) texts.set(`${topic}/${partition}`, JSON.stringify(records));
    }
  } finally {
    await log.close();
  }
  return texts;
}

const allPartitions = (sourcePartitions: number): [TopicName, number][] =>
  topicNames.flatMap((topic) =>
    Array.from({ length: partitionCount(topic, sourcePartitions) }, (_, partition): [TopicName, number] => [
      topic,
      partition,
    ]),
  );

function openLog(dataDir: string): Promise<SqliteLog | KafkaLog> {
  if (engine === 'embedded')
    return SqliteLog.open({ file: join(dataDir, 'log.sqlite'), partitions: embeddedPartitions });
  const { KAFKA_BROKERS = '', KAFKA_TOPIC_PREFIX = '', KAFKA_PARTITIONS } = serversFor(dataDir);
  return KafkaLog.open({
    brokers: KAFKA_BROKERS.split(','),
    topicPrefix: KAFKA_TOPIC_PREFIX,
    partitions: Number(KAFKA_PARTITIONS),
    replicationFactor: 1,
    minInsyncReplicas: 1,
    instanceId: 'gw_reader',
  });
}

async function documentsOf(dataDir: string): Promise<Map<string, string>> {
  const store = await SqliteViewStore.open({ file: join(dataDir, 'views.sqlite'), definitions: viewDefinitions });
  const texts = new Map<string, string>();
  try {
    for (const { name } of viewDefinitions) {
      const documents: unknown[] = [];
      for await (const document of store.live().all(name)) documents.push(document);
      if (documents.length > 0) texts.set(`view ${name}`, JSON.stringify(documents));
    }
  } finally {
    await store.close();
  }
  return texts;
}

async function collectionsOf(dataDir: string): Promise<Map<string, string>> {
  const client = await MongoClient.connect(serversFor(dataDir)['MONGODB_URL'] ?? '');
  const texts = new Map<string, string>();
  try {
    for (const collection of await client.db().collections())
      texts.set(`MongoDB ${collection.collectionName}`, JSON.stringify(await collection.find().toArray()));
  } finally {
    await client.close();
  }
  return texts;
}
