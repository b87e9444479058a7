import { setTimeout as delay } from 'node:timers/promises';
import { jest } from '@jest/globals';
import kafkajs from 'kafkajs';
import type { Producer } from 'kafkajs';
import { codeOf, ids, idsOf, outgoing, readRecords, wide, requestAll } from '../../contract/harness.ts';
import { within } from '../../../primitives/time-limit.ts';
import { Link } from '../kafkajs/client/link.ts';
import { api, breakingDial } from '../fixture/breaking-dial.ts';
import { againstKafka } from '../fixture/brokers.ts';
import { createTestTopics } from '../fixture/test-topics.ts';
import type { Reply } from '../../log.ts';
import type { KafkaLog } from '../kafka-log.ts';
import { limits } from '../kafka-limits.ts';
import { KafkaNames } from '../kafka-names.ts';

const slowMs = 40_000;
/** Brokers abort a transaction that its owner leaves open only after this time, longer than any test here. */
const leftOpenMs = 60_000;
/** Every call is answered within this time. */
const answeredMs = 10_000;

againstKafka('what kafkajs and its connections do wrong', (brokers) => {
  jest.setTimeout(slowMs);
  const topics = createTestTopics(brokers);
  const connections = breakingDial();
  const names = new KafkaNames(topics.settings.topicPrefix ?? '');
  const links: Link[] = [];
  let log: KafkaLog;
  beforeAll(async () => {
    log = await topics.open({ dial: connections.dial });
  });
  afterEach(() => {
    for (const link of links.splice(0)) link.sever();
  });
  afterAll(async () => {
    await log.close();
    await topics.remove();
  });

  async function bareProducer(transactionalId: string): Promise<Producer> {
    const link = new Link({ brokers, clientId: 'spec' });
    links.push(link);
    const producer = link.kafka.producer({
      transactionalId,
      transactionTimeout: leftOpenMs,
      createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
    });
    await producer.connect();
    return producer;
  }
  const messageTo = (partition: number, value: string) => ({ partition, key: 'dc_1', value: JSON.stringify(value) });

  test('unreachable brokers are named, and all calls fail in time as unavailable', async () => {
    const away = topics.open({ brokers: ['127.0.0.1:1'] });
    await expect(away).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('127.0.0.1:1') });
    connections.refuse(true, 'all');
    const codes = [codeOf(log.request(outgoing('commands'))), codeOf(log.read('commands', 0, 0, wide))];
    // This timer is in the same process: on a busy machine it is as late as the calls that it limits.
    const inTime = within(Promise.all(codes), answeredMs, 'to fail');
    expect(await inTime).toEqual(['unavailable', 'unavailable']);
    connections.refuse(false);
    await expect(log.request(outgoing('commands'))).resolves.toEqual(expect.any(Number));
  });

  test('concurrent requests whose answer is lost are written once each, in order', async () => {
    await log.request(outgoing('triggers', 1));
    const from = await log.end('triggers', 1);
    const records = Array.from({ length: 9 }, () => outgoing('triggers', 1));
    const broken = connections.brokenCount();
    connections.breakNext(api.produce, 'lost_reply');
    await requestAll(log, records);
    expect(connections.brokenCount()).toBe(broken + 1);
    expect(ids(await readRecords(log, { topic: 'triggers', partition: 1, from }, 9))).toEqual(idsOf(records));
  });

  test('after a failure requests continue with their producer id, without asking for a new one', async () => {
    const dial = breakingDial();
    const own = await topics.open({ dial: dial.dial, instanceId: 'gw_other' });
    await own.request(outgoing('triggers', 2));
    expect(dial.producers()).toBe(1);
    const from = await own.end('triggers', 2);
    dial.refuse(true, 'all');
    expect(await codeOf(own.request(outgoing('triggers', 2)))).toBe('unavailable');
    dial.refuse(false);
    const records = [outgoing('triggers', 2), outgoing('triggers', 2)];
    for (const record of records) await own.request(record);
    expect(dial.producers()).toBe(0);
    expect(ids(await readRecords(own, { topic: 'triggers', partition: 2, from }, 2))).toEqual(idsOf(records));
    await own.close();
  });

  test('a send in a transaction whose answer is lost is written once', async () => {
    const writer = await log.own('runtime', 1);
    await writer.append([outgoing('channels', 1)], {});
    const from = await log.end('channels', 1);
    const records = [outgoing('channels', 1), outgoing('runs', 1), outgoing('channels', 1)];
    const broken = connections.brokenCount();
    connections.breakNext(api.produce, 'lost_reply');
    await writer.append(records, {});
    expect(connections.brokenCount()).toBe(broken + 1);
    const found = await readRecords(log, { topic: 'channels', partition: 1, from }, 2);
    expect(ids(found)).toEqual([records[0]?.record.id, records[2]?.record.id]);
  });

  test('an append to several topics whose commit is lost leaves nothing in any of them', async () => {
    const writer = await log.own('runtime', 1);
    const from = await Promise.all([log.end('channels', 1), log.end('runs', 1)]);
    connections.breakNext(api.endTransaction, 'lost_request');
    const lost = writer.append([outgoing('channels', 1), outgoing('runs', 1)], {});
    expect(await codeOf(lost)).toBe('unknown_outcome');
    await writer.recover();
    const records = [outgoing('channels', 1), outgoing('runs', 1)];
    await writer.append(records, {});
    for (const [i, topic] of (['channels', 'runs'] as const).entries()) {
      const found = await readRecords(log, { topic, partition: 1, from: from[i] ?? 0 }, 1);
      expect(ids(found)).toEqual([records[i]?.record.id]);
    }
  });

  test('aborted transactions of two producers that interleave in one partition are not read', async () => {
    const from = await log.end('channels', 3);
    const topic = names.topic('channels');
    const [one, two] = await Promise.all([bareProducer('spec-one'), bareProducer('spec-two')]);
    const [ofOne, ofTwo] = [await one.transaction(), await two.transaction()];
    await ofOne.send({ topic, messages: [messageTo(3, 'one')] });
    await ofTwo.send({ topic, messages: [messageTo(3, 'two')] });
    await ofTwo.send({ topic, messages: [messageTo(3, 'two again')] });
    await ofTwo.abort();
    await ofOne.send({ topic, messages: [messageTo(3, 'one again')] });
    await ofOne.abort();
    const record = outgoing('channels', 3);
    await (await log.own('runtime', 3)).append([record], {});
    expect(ids(await readRecords(log, { topic: 'channels', partition: 3, from }, 1))).toEqual([record.record.id]);
  });

  test('the end stays below an open transaction, and a tail waits for it', async () => {
    const topic = names.topic('channels');
    const writer = await log.own('runtime', 0);
    const end = await log.end('channels', 0);
    const tail = log.tail([{ topic: 'channels', partition: 0, offset: end }], wide);
    const producer = await bareProducer('spec-open');
    const transaction = await producer.transaction();
    await transaction.send({ topic, messages: [messageTo(0, 'open')] });
    expect(await log.end('channels', 0)).toBe(end);
    expect(await log.read('channels', 0, end, wide)).toMatchObject({ records: [], next: end });
    const behind = outgoing('channels', 0);
    await writer.append([behind], {});
    expect(await tail.next(500)).toEqual([]);
    await transaction.abort();
    const [page] = await tail.next(slowMs);
    expect(ids(page?.records ?? [])).toEqual([behind.record.id]);
    await tail.close();
  });

  test('a take-over settles a transaction left open by a killed owner, long before the broker would', async () => {
    const killed = await bareProducer(names.transactionalId('runtime', 2));
    const transaction = await killed.transaction();
    await transaction.send({ topic: names.topic('channels'), messages: [messageTo(2, 'left open')] });
    links.splice(0).forEach((link) => link.sever());
    const from = await log.end('channels', 2);
    const record = outgoing('channels', 2);
    await (await log.own('runtime', 2)).append([record], {});
    expect(ids(await readRecords(log, { topic: 'channels', partition: 2, from }, 1))).toEqual([record.record.id]);
  });

  test('a released owner closes its connections', async () => {
    const others = connections.producers();
    const writer = await log.own('delivery', 3);
    await writer.append([outgoing('deliveries', 3)], {});
    expect(connections.producers()).toBeGreaterThan(others);
    await writer.release();
    while (connections.producers() > others) await delay(1);
  });

  test('appends one after the other do not wait a third of a second for each other', async () => {
    const writer = await log.own('delivery', 1);
    const append = () => writer.append([outgoing('deliveries', 1)], {});
    expect(await anyTakesLess(200, append)).toBe(true);
  });

  test('tails that wait for records delay neither reads nor appends', async () => {
    const tails = [1, 2, 3].map((partition) => log.tail([{ topic: 'hooks', partition, offset: 0 }], wide));
    const waiting = tails.map((tail) => tail.next(slowMs));
    const writer = await log.own('delivery', 2);
    const attempt = async () => {
      await writer.append([outgoing('deliveries', 2)], {});
      await log.read('channels', 1, 0, wide);
      await log.end('channels', 1);
    };
    expect(await anyTakesLess(limits.pollMs - 50, attempt)).toBe(true);
    await Promise.all(tails.map((tail) => tail.close()));
    expect(await Promise.all(waiting)).toEqual([[], [], []]);
  });

  test('a resumed partition is read at once, also while other partitions are idle', async () => {
    const [quiet, resumed] = [1, 2].map((partition) => ({ topic: 'triggers' as const, partition }));
    if (quiet === undefined || resumed === undefined) throw new Error('there are two');
    const from = await Promise.all([quiet, resumed].map(({ partition }) => log.end('triggers', partition)));
    const tail = log.tail(
      [
        { ...quiet, offset: from[0] ?? 0 },
        { ...resumed, offset: from[1] ?? 0 },
      ],
      wide,
    );
    // In each try a poll of the other partitions begins, which ends half a second later.
    const attempt = async () => {
      tail.pause('triggers', resumed.partition);
      await tail.next(1);
      await log.request(outgoing('triggers', resumed.partition));
      tail.resume('triggers', resumed.partition);
      expect(await tail.next(slowMs)).toHaveLength(1);
    };
    expect(await anyTakesLess(limits.pollMs / 2, attempt)).toBe(true);
    await tail.close();
  });

  test('a tail continues at its position after all its connections broke', async () => {
    const tail = log.tail([{ topic: 'triggers', partition: 3, offset: await log.end('triggers', 3) }], wide);
    await tail.next(1);
    connections.refuse(true, 'all');
    expect(await codeOf(tail.next(slowMs))).toBe('unavailable');
    connections.refuse(false);
    const record = outgoing('triggers', 3);
    await log.request(record);
    const found: string[] = [];
    while (found.length === 0)
      for (const page of await tail.next(slowMs).catch(() => [])) found.push(...ids(page.records));
    expect(found).toEqual([record.record.id]);
    await tail.close();
  });

  test('a reply that is sent while the brokers are away for longer than a send may take arrives once they are back', async () => {
    const reply: Reply = { type: 'RunEnded', correlationId: 'req_late', failed: false };
    const received = new Promise<Reply>((resolve) => log.onReply('gw_test', resolve));
    connections.refuse(true, 'all');
    log.reply('gw_test', reply);
    await new Promise((resolve) => setTimeout(resolve, limits.sendMs + 1_000));
    connections.refuse(false);
    expect(await received).toEqual(reply);
  });

  test('a tail from above the end of a partition fails as corrupt, since records were lost', async () => {
    const tail = log.tail([{ topic: 'hooks', partition: 0, offset: 1_000 }], wide);
    expect(await codeOf(tail.next(slowMs))).toBe('corrupt');
    await tail.close();
  });
});

/** Half a minute, if each try takes half a second. */
const triesMax = 60;

/** A wait in the code under test makes every try too long; a busy machine makes only some of them too long. */
async function anyTakesLess(ms: number, attempt: () => Promise<unknown>): Promise<boolean> {
  for (let tries = 0; tries < triesMax; tries++) {
    const startedAt = performance.now();
    await attempt();
    if (performance.now() - startedAt < ms) return true;
  }
  return false;
}
