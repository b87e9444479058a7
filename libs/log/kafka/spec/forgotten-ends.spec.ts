import { jest } from '@jest/globals';
import { ids, outgoing, readRecords } from '../../contract/harness.ts';
import { encode } from '../../appending/encoding.ts';
import { markRecord } from '../../appending/mark-record.ts';
import type { LogRecord } from '../../../domain/message.ts';
import { outboundOf } from '../encoding/cloud-event.ts';
import type { OutboundRecord } from '../kafkajs/producer/outbound-record.ts';
import { againstKafka } from '../fixture/brokers.ts';
import { forgetfulDial, verifyPartitions } from '../fixture/forgetful-kafka.ts';
import { createTestTopics } from '../fixture/test-topics.ts';
import type { KafkaLog } from '../kafka-log.ts';
import { limits } from '../kafka-limits.ts';
import { KafkaNames } from '../kafka-names.ts';
import { IdempotentProducer } from '../kafkajs/producer/idempotent-producer.ts';

const slowMs = 40_000;

againstKafka('transactions whose end Kafka has forgotten', (brokers) => {
  jest.setTimeout(slowMs);
  const topics = createTestTopics(brokers);
  const forgetful = forgetfulDial();
  const names = new KafkaNames(topics.settings.topicPrefix ?? '');
  const producers: IdempotentProducer[] = [];
  let log: KafkaLog;
  beforeAll(async () => {
    await verifyPartitions(brokers, false);
    log = await topics.open({ dial: forgetful.dial });
  });
  afterAll(async () => {
    for (const { link } of producers) link.sever();
    await log.close();
    await topics.remove();
    await verifyPartitions(brokers, true);
  });

  const rowOf = (
    partition: number,
    record: LogRecord,
    topic: 'channels' | 'marks.runtime',
  ): readonly OutboundRecord[] =>
    encode([{ topic, partition, record }]).map((row) => outboundOf(row, names.topic(topic)));

  async function takenOver(partition: number): Promise<IdempotentProducer> {
    const used = (['channels', 'runs', 'marks.runtime'] as const).map((topic) => names.topic(topic));
    const settings = { servers: { brokers, clientId: 'spec' }, topics: used };
    const producer = IdempotentProducer.create(settings, names.transactionalId('runtime', partition));
    producers.push(producer);
    await producer.start();
    return producer;
  }

  /** An owner writes an event and its mark, ends the transaction and dies; Kafka ends it in neither partition. */
  async function leaveOpen(partition: number, how: 'commit' | 'abort'): Promise<{ id: string; generation: number }> {
    const { generation } = (await log.own('runtime', partition)).mark;
    const producer = await takenOver(partition);
    const mark = { positions: {}, generation: generation + 5, batch: 1 };
    const { record } = outgoing('channels', partition);
    const { record: ofMark } = markRecord('runtime', partition, mark, Date.now());
    const elsewhere = [{ topic: names.topic('runs'), partition }];
    await producer.addPartitions(elsewhere);
    await producer.send([...rowOf(partition, record, 'channels'), ...rowOf(partition, ofMark, 'marks.runtime')]);
    await (how === 'commit' ? producer.commit() : producer.endEmptyTransaction(elsewhere, 'aborted'));
    return { id: record.id, generation: mark.generation };
  }

  test('after a commit without end markers, the next owner finds its mark and all records can be read', async () => {
    const from = await log.end('channels', 0);
    const { id, generation } = await leaveOpen(0, 'commit');
    const writer = await log.own('runtime', 0);
    expect(writer.mark.generation).toBe(generation + 1);
    expect(ids(await readRecords(log, { topic: 'channels', partition: 0, from }, 1))).toEqual([id]);
    const next = outgoing('channels', 0);
    await writer.append([next], {});
    expect(ids(await readRecords(log, { topic: 'channels', partition: 0, from }, 2))).toEqual([id, next.record.id]);
  });

  test('records of an abort whose end markers were lost are never read', async () => {
    const from = await log.end('channels', 1);
    const { generation } = await leaveOpen(1, 'abort');
    const writer = await log.own('runtime', 1);
    expect(writer.mark.generation).toBeLessThan(generation);
    const next = outgoing('channels', 1);
    await writer.append([next], {});
    expect(ids(await readRecords(log, { topic: 'channels', partition: 1, from }, 1))).toEqual([next.record.id]);
  });

  test('when the outcome of a transaction cannot be found, the take-over fails and says what to do', async () => {
    await leaveOpen(2, 'commit');
    await takenOver(2);
    await expect(log.own('runtime', 2)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('kafka-transactions.sh'),
    });
  });

  test('a take-over that was interrupted after fencing is completed by the next one of the process', async () => {
    const from = await log.end('channels', 0);
    const { id, generation } = await leaveOpen(0, 'commit');
    forgetful.refuseJoins(true);
    await expect(log.own('runtime', 0)).rejects.toMatchObject({ code: 'unavailable' });
    forgetful.refuseJoins(false);
    expect((await log.own('runtime', 0)).mark.generation).toBe(generation + 1);
    expect(ids(await readRecords(log, { topic: 'channels', partition: 0, from }, 1))).toEqual([id]);
  });

  test('an acknowledged append becomes visible without its owner, and before the next one', async () => {
    const writer = await log.own('runtime', 3);
    const from = await log.end('channels', 3);
    const [hidden, next] = [outgoing('channels', 3), outgoing('channels', 3)];
    forgetful.forgetNext();
    await writer.append([outgoing('runs', 3), hidden], {});
    const startedAt = performance.now();
    expect(ids(await readRecords(log, { topic: 'channels', partition: 3, from }, 1))).toEqual([hidden.record.id]);
    expect(performance.now() - startedAt).toBeGreaterThan(limits.visibleMs / 2);
    await writer.append([next], {});
    expect(ids(await readRecords(log, { topic: 'channels', partition: 3, from }, 2))).toEqual([
      hidden.record.id,
      next.record.id,
    ]);
  });
});
