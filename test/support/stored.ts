// Everything that a product has stored, as text by place: what a thief of its disks and of its servers could read.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { partitionCount, topicNames } from '../../libs/domain/flow.ts';
import type { TopicName } from '../../libs/domain/flow.ts';
import { KafkaLog } from '../../libs/log/kafka/kafka-log.ts';
import { engine, serversFor } from './engine.ts';

/** Far above what one story writes into a partition. */
const wholePartition = { recordsMax: 10_000, bytesMax: 64 * 1024 * 1024 };

/** Without the two files that hold nothing but a key. */
export async function stored(dataDir: string): Promise<ReadonlyMap<string, string>> {
  const places = new Map<string, string>();
  for (const file of await filesOf(dataDir)) places.set(file, await readFile(file, 'latin1'));
  if (engine === 'embedded') return places;
  for (const part of [await topicsOf(dataDir), await collectionsOf(dataDir)])
    for (const [place, text] of part) places.set(place, text);
  return places;
}

/** Where the log is, whichever engine keeps it: a story that looks for something must have looked there. */
export const isLog = (place: string): boolean => place.endsWith('log.sqlite') || place.startsWith('runs/');

async function filesOf(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const kept = ['api-key', 'master-key'];
  return entries
    .filter((entry) => entry.isFile() && !kept.includes(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

async function topicsOf(dataDir: string): Promise<Map<string, string>> {
  const { KAFKA_BROKERS = '', KAFKA_TOPIC_PREFIX = '', KAFKA_PARTITIONS } = serversFor(dataDir);
  const log = await KafkaLog.open({
    brokers: KAFKA_BROKERS.split(','),
    topicPrefix: KAFKA_TOPIC_PREFIX,
    partitions: Number(KAFKA_PARTITIONS),
    replicationFactor: 1,
    minInsyncReplicas: 1,
    instanceId: 'gw_reader',
  });
  const places = new Map<string, string>();
  try {
    for (const [topic, partition] of allPartitions(log.partitions)) {
      const { records } = await log.read(topic, partition, 0, wholePartition);
      if (records.length > 0) places.set(`${topic}/${partition}`, JSON.stringify(records));
    }
  } finally {
    await log.close();
  }
  return places;
}

const allPartitions = (emitterPartitions: number): [TopicName, number][] =>
  topicNames.flatMap((topic) =>
    Array.from({ length: partitionCount(topic, emitterPartitions) }, (_, partition): [TopicName, number] => [
      topic,
      partition,
    ]),
  );

async function collectionsOf(dataDir: string): Promise<Map<string, string>> {
  const client = await MongoClient.connect(serversFor(dataDir)['MONGODB_URL'] ?? '');
  const places = new Map<string, string>();
  try {
    for (const collection of await client.db().collections())
      places.set(`MongoDB ${collection.collectionName}`, JSON.stringify(await collection.find().toArray()));
  } finally {
    await client.close();
  }
  return places;
}
