// Sends with bare kafkajs, in its own process: the same bytes, one transaction for each batch, as fast as possible.
import kafkajs from 'kafkajs';
import type { Producer } from 'kafkajs';
import { batchTexts } from './batch-texts.ts';

/** Each producer has one transaction in flight at a time; together they send so many batches. */
export interface SendRequest {
  readonly producers: number;
  readonly batches: number;
}

export interface SendResult {
  readonly spentMs: number;
}

const [, , broker = '', partitions = '1'] = process.argv;
const topic = 'bare';
/** By default, kafkajs waits 300 ms while a commit is still being written; with 1 ms it is as fast as it can be. */
const retry = { initialRetryTime: 1, maxRetryTime: 1_000, retries: 12 };
const texts = batchTexts();

/** One producer for each partition, as the log has one for each writer. */
async function connectProducers(): Promise<readonly Producer[]> {
  const kafka = new kafkajs.Kafka({ brokers: [broker], retry, logLevel: kafkajs.logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: Number(partitions), replicationFactor: 1 }] });
  await admin.disconnect();
  const producers = Array.from({ length: Number(partitions) }, (_, i) =>
    kafka.producer({ transactionalId: `bare-${i}`, idempotent: true, maxInFlightRequests: 1, retry }),
  );
  await Promise.all(producers.map((producer) => producer.connect()));
  return producers;
}

async function send(producers: readonly Producer[], batches: number): Promise<void> {
  const each = async (producer: Producer, partition: number): Promise<void> => {
    for (let batch = 0; batch < batches / producers.length; batch++) {
      const transaction = await producer.transaction();
      await transaction.send({
        topic,
        messages: texts.map((event) => ({ partition, value: JSON.stringify({ event }) })),
      });
      await transaction.commit();
    }
  };
  await Promise.all(producers.map(each));
}

const allProducers = await connectProducers();
process.on('message', ({ producers, batches }: SendRequest) => {
  const startedAt = performance.now();
  void send(allProducers.slice(0, producers), batches).then(() =>
    process.send?.({ spentMs: performance.now() - startedAt } satisfies SendResult),
  );
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
