// Appends to the log on Kafka against kafkajs used bare on the same broker: the same bytes in a transaction for each batch.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import kafkajs from 'kafkajs';
import type { Producer } from 'kafkajs';
import { KafkaLog } from '../../libs/log/kafka/kafka-log.ts';
import type { Outgoing, Writer } from '../../libs/log/log.ts';
import { startServers } from '../support/cluster/servers.ts';
import type { Bench, Figure } from './figure.ts';

const recordsPerBatch = 100;
const recordBytes = 1024;
const partitions = 4;
/** Measured in turns, so that the machine's moods are shared; the first turn warms up and is not counted. */
const rounds = 5;
const batchesPerRound = 100;
const bareTopic = 'bare';
/** Kafkajs waits 300 ms after each commit that is still being written: a millisecond makes it as quick as it can be. */
const retry = { initialRetryTime: 1, maxRetryTime: 1_000, retries: 12 };

export const distributedAppend: Bench = { name: 'distributed.log.append', engine: 'distributed', run };

async function run(): Promise<readonly Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'append-'));
  const { kafka, mongodb } = await startServers(directory);
  try {
    const [, broker] = kafka.variable;
    return await measure(broker);
  } finally {
    await Promise.all([kafka.remove(), mongodb.remove()]);
    await rm(directory, { recursive: true, force: true });
  }
}

async function measure(broker: string): Promise<readonly Figure[]> {
  const own = { partitions, replicationFactor: 1, minInsyncReplicas: 1, instanceId: 'gw_bench' };
  const log = await KafkaLog.open({ brokers: [broker], ...own });
  const producers = await bareProducers(broker);
  try {
    const writers: Writer[] = [];
    for (let partition = 0; partition < partitions; partition++) writers.push(await log.own('runtime', partition));
    const spentMs = { bareOne: 0, bareAll: 0, one: 0, all: 0 };
    for (let round = 0; round < rounds; round++) {
      const times = {
        bareOne: await timed(() => sendBare(producers.slice(0, 1))),
        one: await timed(() => append(writers.slice(0, 1))),
        bareAll: await timed(() => sendBare(producers)),
        all: await timed(() => append(writers)),
      };
      if (round === 0) continue;
      for (const name of ['bareOne', 'bareAll', 'one', 'all'] as const) spentMs[name] += times[name];
    }
    return [
      figure('distributed.log.append', spentMs.one, spentMs.bareOne),
      figure('distributed.log.append.concurrent', spentMs.all, spentMs.bareAll),
    ];
  } finally {
    await Promise.all(producers.map((producer) => producer.disconnect()));
    await log.close();
  }
}

/** One for each partition, as the log has one for each writer. */
async function bareProducers(broker: string): Promise<readonly Producer[]> {
  const kafka = new kafkajs.Kafka({ brokers: [broker], retry, logLevel: kafkajs.logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic: bareTopic, numPartitions: partitions, replicationFactor: 1 }] });
  await admin.disconnect();
  const producers = Array.from({ length: partitions }, (_, i) =>
    kafka.producer({ transactionalId: `bare-${i}`, idempotent: true, maxInFlightRequests: 1, retry }),
  );
  await Promise.all(producers.map((producer) => producer.connect()));
  return producers;
}

/** Each has one transaction in flight at a time; together they make one round's batches. */
async function sendBare(producers: readonly Producer[]): Promise<void> {
  const each = async (producer: Producer, partition: number): Promise<void> => {
    for (let batch = 0; batch < batchesPerRound / producers.length; batch++) {
      const transaction = await producer.transaction();
      await transaction.send({ topic: bareTopic, messages: bareMessages(partition) });
      await transaction.commit();
    }
  };
  await Promise.all(producers.map(each));
}

async function append(writers: readonly Writer[]): Promise<void> {
  const each = async (writer: Writer): Promise<void> => {
    for (let batch = 0; batch < batchesPerRound / writers.length; batch++)
      await writer.append(outgoing(writer.partition), { [`triggers/${writer.partition}`]: batch });
  };
  await Promise.all(writers.map(each));
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Base64 holds three bytes in four: each its own, so that compression finds little. */
const texts = Array.from({ length: recordsPerBatch }, () => randomBytes((recordBytes / 4) * 3).toString('base64'));

const bareMessages = (partition: number): { partition: number; value: string }[] =>
  texts.map((event) => ({ partition, value: JSON.stringify({ event }) }));

const outgoing = (partition: number): Outgoing[] =>
  texts.map((event, i) => ({
    topic: 'channels',
    partition,
    record: {
      id: `rec_${String(i).padStart(16, '0')}`,
      type: 'EventEmitted',
      version: 1,
      key: `dc_${String(partition).padStart(16, '0')}`,
      data: { event },
      at: 1_700_000_000_000,
      workspace: 'o_0000000000000000',
      correlationId: 'req_0000000000000000',
      causationId: 'req_0000000000000000',
    },
  }));

const perSecond = (ms: number): number => ((rounds - 1) * batchesPerRound * recordsPerBatch * 1000) / ms;

function figure(name: string, spentMs: number, boundMs: number): Figure {
  const [value, bound] = [perSecond(spentMs), perSecond(boundMs)];
  return { name, value, unit: 'records/s', bound, ratio: value / bound, goal: '>= 0.7 of bound' };
}
