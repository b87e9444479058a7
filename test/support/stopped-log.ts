// Writes to a stopped product's log through the port, as another version or a foreign program might have done.
import { join } from 'node:path';
import { flow, partitionCount, partitionOf, topics } from '../../libs/domain/flow.ts';
import type { OwningStage, RequestTopic, TopicName } from '../../libs/domain/flow.ts';
import type { LogRecord, StoredRecord } from '../../libs/domain/message.ts';
import { KafkaLog } from '../../libs/log/kafka/kafka-log.ts';
import type { Log, OutgoingOn } from '../../libs/log/log.ts';
import { SqliteLog } from '../../libs/log/sqlite/sqlite-log.ts';
import { engine, serversFor } from './engine.ts';

/** The embedded engine's partitions, which specs also set for the distributed one. */
const partitions = 4;
/** Limits of one append, in records and characters; an append can have 8 MiB. */
const appendRecords = 100;
const appendCharacters = 1_000_000;

export interface RecordToWrite {
  readonly topic: TopicName;
  readonly record: LogRecord;
}

/** Keeps the order within each topic; records of sources go to the partition of their key. Marks are not changed. */
export async function writeToLog(dataDir: string, written: readonly RecordToWrite[]): Promise<void> {
  const log = await openLog(dataDir);
  try {
    const byStage = new Map<string, StageRecords>();
    for (const { topic, record } of written) {
      const { writer, partitions: kind } = topics[topic];
      const partition = kind === 'one' ? 0 : partitionOf(record.key, log.partitions);
      // The record can be invalid: nothing checks it here.
      const outgoing = { topic, partition, record } as OutgoingOn;
      if (writer === 'many') await log.request(outgoing as OutgoingOn<RequestTopic>);
      else addToStage(byStage, writer as OwningStage, outgoing);
    }
    for (const each of byStage.values()) await append(log, each);
  } finally {
    await log.close();
  }
}

interface StageRecords {
  readonly stage: OwningStage;
  readonly partition: number;
  readonly records: OutgoingOn[];
}

function addToStage(byStage: Map<string, StageRecords>, stage: OwningStage, outgoing: OutgoingOn): void {
  const partition = flow[stage].owns === 'one' ? 0 : outgoing.partition;
  const key = `${stage}/${partition}`;
  const stageRecords = byStage.get(key) ?? { stage, partition, records: [] };
  stageRecords.records.push(outgoing);
  byStage.set(key, stageRecords);
}

async function append(log: Log, { stage, partition, records }: StageRecords): Promise<void> {
  const owner = await log.own(stage, partition);
  for (const batch of batchesOf(records)) await owner.append(batch, owner.mark.positions);
  await owner.release();
}

function* batchesOf(records: readonly OutgoingOn[]): Generator<readonly OutgoingOn[]> {
  let batch: OutgoingOn[] = [];
  let characters = 0;
  for (const outgoing of records) {
    batch.push(outgoing);
    characters += JSON.stringify(outgoing.record).length;
    if (batch.length < appendRecords && characters < appendCharacters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Reads all records of some topics; the embedded product must not run meanwhile. */
export async function readLog(dataDir: string, ...from: readonly TopicName[]): Promise<readonly StoredRecord[]> {
  const log = await openLog(dataDir);
  try {
    const records: StoredRecord[] = [];
    const topicPartitions = from.flatMap((topic) =>
      Array.from({ length: partitionCount(topic, log.partitions) }, (_, partition) => ({ topic, partition })),
    );
    for (const { topic, partition } of topicPartitions) records.push(...(await readPartition(log, topic, partition)));
    return records;
  } finally {
    await log.close();
  }
}

async function readPartition(log: Log, topic: TopicName, partition: number): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  const bounds = { recordsMax: 10_000, bytesMax: 64 * 1024 * 1024, to: await log.end(topic, partition) };
  for (let from = 0; from < bounds.to;) {
    const page = await log.read(topic, partition, from, bounds);
    records.push(...page.records);
    if (page.next <= from) return records;
    from = page.next;
  }
  return records;
}

function openLog(dataDir: string): Promise<Log> {
  if (engine === 'embedded') return SqliteLog.open({ file: join(dataDir, 'log.sqlite'), partitions });
  const { KAFKA_BROKERS = '', KAFKA_TOPIC_PREFIX = '', KAFKA_PARTITIONS } = serversFor(dataDir);
  return KafkaLog.open({
    brokers: KAFKA_BROKERS.split(','),
    topicPrefix: KAFKA_TOPIC_PREFIX,
    partitions: Number(KAFKA_PARTITIONS),
    replicationFactor: 1,
    minInsyncReplicas: 1,
    instanceId: 'gw_writer',
  });
}
