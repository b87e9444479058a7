import { jest } from '@jest/globals';
import kafkajs from 'kafkajs';
import type { StoredRecord } from '../../../domain/message.ts';
import { encode } from '../../appending/encoding.ts';
import { outgoing, wide } from '../../contract/harness.ts';
import { Link } from '../kafkajs/client/link.ts';
import { outboundOf } from '../encoding/cloud-event.ts';
import { againstKafka } from '../fixture/brokers.ts';
import { createTestTopics } from '../fixture/test-topics.ts';
import type { KafkaLog } from '../kafka-log.ts';
import { KafkaNames } from '../kafka-names.ts';
import { Fetcher } from '../reading/fetcher.ts';

/** A broker looks every 15 s whether there is something to compact, unless it is told otherwise. */
const slowMs = 90_000;
const rounds = 5;
const partition = 1;
/** `bytesMax` for one batch: a broker returns at least one, however few bytes are asked for. */
const oneBatch = 1;

againstKafka('reading what compaction has left', (brokers) => {
  jest.setTimeout(slowMs);
  const topics = createTestTopics(brokers);
  const topic = new KafkaNames(topics.settings.topicPrefix ?? '').topic('state');
  const links: Link[] = [];
  let log: KafkaLog;
  beforeAll(async () => {
    log = await topics.open();
  });
  afterAll(async () => {
    for (const link of links) link.sever();
    await log.close();
    await topics.remove();
  });

  function link(): Link {
    const one = new Link({ brokers, clientId: 'spec' });
    links.push(one);
    return one;
  }

  /** Only closed segments are compacted: each record that is a little younger closes the one before. */
  async function compactAtOnce(): Promise<void> {
    const admin = link().kafka.admin();
    await admin.connect();
    const configEntries = [
      { name: 'cleanup.policy', value: 'compact' },
      { name: 'segment.ms', value: '100' },
      { name: 'min.cleanable.dirty.ratio', value: '0.001' },
    ];
    const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configEntries };
    await admin.alterConfigs({ validateOnly: false, resources: [resource] });
  }

  /** Writes with a new producer: the broker keeps its last batch for the sequence, empty once its records are gone. */
  async function write(key: string): Promise<void> {
    const [row] = encode([outgoing('state', partition, { key })]);
    if (row === undefined) throw new Error('one record was encoded');
    const { value, headers } = outboundOf(row, topic);
    const timestamp = String(Date.now());
    const producer = link().kafka.producer({
      idempotent: true,
      createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
    });
    await producer.connect();
    await producer.send({ topic, messages: [{ partition, key, value, headers: { ...headers }, timestamp }] });
  }

  async function readAll(from: number): Promise<readonly StoredRecord[]> {
    const records: StoredRecord[] = [];
    const end = await log.end('state', partition);
    for (let next = from; next < end;) {
      const page = await log.read('state', partition, next, wide);
      expect(page.next).toBeGreaterThan(next);
      records.push(...page.records);
      next = page.next;
    }
    return records;
  }

  test('batches emptied by compaction stop neither reads nor tails, from any offset', async () => {
    await compactAtOnce();
    for (let round = 0; round < rounds; round++) {
      await write('overwritten');
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    await write('last');
    const until = Date.now() + slowMs - 20_000;
    const overwritten = async (): Promise<number> =>
      (await readAll(0)).filter(({ key }) => key === 'overwritten').length;
    while ((await overwritten()) > 1) {
      if (Date.now() > until) throw new Error('the broker has not compacted in time');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }

    const end = await log.end('state', partition);
    for (let from = 0; from < end; from++) {
      const keys = (await readAll(from)).map(({ key }) => key);
      expect([from, keys]).toEqual([from, from < rounds ? ['overwritten', 'last'] : ['last']]);
    }
    const fetcher = new Fetcher({ brokers, clientId: 'spec' }, [topic], new Set([topic]));
    for (let offset = 0; offset < end;) {
      const [batch] = await fetcher.fetch([{ topic, partition, offset }], 0, oneBatch);
      expect(batch?.next).toBeGreaterThan(offset);
      offset = batch?.next ?? end;
    }
    fetcher.close();
    const tail = log.tail([{ topic: 'state', partition, offset: 0 }], wide);
    const found: string[] = [];
    while (found.length < 2)
      for (const { records } of await tail.next(1_000)) found.push(...records.map(({ key }) => key));
    expect(found).toEqual(['overwritten', 'last']);
    await tail.close();
  });
});
