// Appends to the log on Kafka against bare kafkajs on the same broker: the same bytes, one transaction for each batch.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KafkaLog } from '../../../libs/log/kafka/kafka-log.ts';
import type { Outgoing, Writer } from '../../../libs/log/log.ts';
import { startServers } from '../../support/cluster/servers.ts';
import { removeLater } from '../../support/processes/left-behind.ts';
import type { Bench, Figure } from '../report/figure.ts';
import type { SendRequest, SendResult } from '../load/bare-producers.ts';
import { batchTexts, recordsPerBatch } from '../load/batch-texts.ts';

const partitions = 4;
/** Both sides take turns, so that the machine's load affects both; the first turn is a warm-up and is not counted. */
const rounds = 5;
const batchesPerRound = 100;

export const distributedAppend: Bench = { name: 'distributed.log.append', engine: 'distributed', run };

async function run(): Promise<readonly Figure[]> {
  const directory = removeLater(await mkdtemp(join(tmpdir(), 'append-')));
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
  const bare = await bareProducers(broker);
  try {
    const writers: Writer[] = [];
    for (let partition = 0; partition < partitions; partition++) writers.push(await log.own('runtime', partition));
    const spentMs = { bareOne: 0, bareAll: 0, one: 0, all: 0 };
    for (let round = 0; round < rounds; round++) {
      const times = {
        bareOne: await sendBare(bare, 1),
        one: await measureMs(() => append(writers.slice(0, 1))),
        bareAll: await sendBare(bare, partitions),
        all: await measureMs(() => append(writers)),
      };
      if (round === 0) continue;
      for (const name of ['bareOne', 'bareAll', 'one', 'all'] as const) spentMs[name] += times[name];
    }
    return [
      figure('distributed.log.append', spentMs.one, spentMs.bareOne),
      figure('distributed.log.append.concurrent', spentMs.all, spentMs.bareAll),
    ];
  } finally {
    bare.kill();
    await log.close();
  }
}

/** In a separate process, because the log has changed kafkajs in this one to be faster. */
async function bareProducers(broker: string): Promise<ChildProcess> {
  const program = new URL(`../load/bare-producers${extname(import.meta.url)}`, import.meta.url);
  const bare = fork(fileURLToPath(program), [broker, String(partitions)]);
  await once(bare, 'message');
  return bare;
}

async function sendBare(bare: ChildProcess, producers: number): Promise<number> {
  bare.send({ producers, batches: batchesPerRound } satisfies SendRequest);
  const [{ spentMs }] = (await once(bare, 'message')) as [SendResult];
  return spentMs;
}

async function append(writers: readonly Writer[]): Promise<void> {
  const appendBatches = async (writer: Writer): Promise<void> => {
    for (let batch = 0; batch < batchesPerRound / writers.length; batch++)
      await writer.append(outgoing(writer.partition), { [`triggers/${writer.partition}`]: batch });
  };
  await Promise.all(writers.map(appendBatches));
}

async function measureMs(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const texts = batchTexts();

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
