import { jest } from '@jest/globals';
import { codeOf, idsOf, ids, outgoing, readRecords, wide } from '../../contract/harness.ts';
import type { Outgoing, Reply } from '../../log.ts';
import { againstKafka } from '../fixture/brokers.ts';
import { createTestTopics } from '../fixture/test-topics.ts';
import type { KafkaLog } from '../kafka-log.ts';

const slowMs = 30_000;

againstKafka('the log shared by processes', (brokers) => {
  jest.setTimeout(slowMs);
  const topics = createTestTopics(brokers);
  let one: KafkaLog;
  let two: KafkaLog;
  beforeAll(async () => {
    [one, two] = await Promise.all([topics.open({ instanceId: 'gw_one' }), topics.open({ instanceId: 'gw_two' })]);
  });
  afterAll(async () => {
    await Promise.all([one.close(), two.close()]);
    await topics.remove();
  });

  test('an owner that wakes after another process took over never appends, and does not disturb it', async () => {
    const stalled = await one.own('runtime', 1);
    await stalled.append([outgoing('channels', 1)], { 'triggers/1': 1 });
    const owner = await two.own('runtime', 1);
    expect(owner.mark).toEqual({ ...stalled.mark, generation: stalled.mark.generation + 1 });
    const from = await two.end('channels', 1);
    expect(await codeOf(stalled.append([outgoing('channels', 1)], { 'triggers/1': 2 }))).toBe('unknown_outcome');
    expect(await codeOf(stalled.recover())).toBe('fenced');
    const record = outgoing('channels', 1);
    await owner.append([record], { 'triggers/1': 2 });
    expect(ids(await readRecords(one, { topic: 'channels', partition: 1, from }, 1))).toEqual([record.record.id]);
  });

  test('appends in flight at a take-over by a process are stored before it with their mark, or lost', async () => {
    const stalled = await one.own('runtime', 2);
    const from = await one.end('channels', 2);
    const records: Outgoing[] = [];
    const appending = (async () => {
      for (;;) {
        const record = outgoing('channels', 2);
        const count = records.push(record);
        await stalled.append([record], { 'triggers/2': count });
      }
    })().catch((error: unknown) => error);
    await readRecords(one, { topic: 'channels', partition: 2, from }, 5);
    const owner = await two.own('runtime', 2);
    const last = outgoing('channels', 2);
    await owner.append([last], owner.mark.positions);
    expect(await appending).toMatchObject({ code: 'unknown_outcome' });
    const position = owner.mark.positions['triggers/2'] ?? 0;
    const found = await readRecords(two, { topic: 'channels', partition: 2, from }, position + 1);
    expect(ids(found)).toEqual([...idsOf(records.slice(0, position)), last.record.id]);
  });

  test('when processes take over a partition at once, the last one owns it and the others are fenced', async () => {
    const writers = await Promise.all([one.own('delivery', 3), two.own('delivery', 3), one.own('delivery', 3)]);
    const generations = writers.map(({ mark }) => mark.generation);
    expect(new Set(generations).size).toBe(3);
    const outcomes = [];
    for (const writer of writers) {
      const appended = writer.append([outgoing('deliveries', 3)], {}).catch(() => writer.recover());
      outcomes.push(await appended.then(() => writer.mark.generation).catch((error: { code: string }) => error.code));
    }
    const newest = Math.max(...generations);
    expect(outcomes).toEqual(generations.map((generation) => (generation === newest ? newest : 'fenced')));
  });

  test('a tail in another process gets what is appended, in order', async () => {
    const writer = await one.own('runtime', 3);
    const tail = two.tail([{ topic: 'channels', partition: 3, offset: await two.end('channels', 3) }], wide);
    const records = Array.from({ length: 20 }, () => outgoing('channels', 3));
    for (const record of records) void writer.append([record], {});
    const found: string[] = [];
    while (found.length < records.length) for (const page of await tail.next(slowMs)) found.push(...ids(page.records));
    expect(found).toEqual(idsOf(records));
    await tail.close();
  });

  test('a reply reaches a gateway in another process', async () => {
    const reply: Reply = { type: 'RunEnded', correlationId: 'req_1', failed: false };
    const received = new Promise<Reply>((resolve) => one.onReply('gw_one', resolve));
    two.reply('gw_one', reply);
    expect(await received).toEqual(reply);
  });

  test('processes that create a log at the same time agree on its id, and a later log has another id', async () => {
    expect(one.id).toBe(two.id);
    const brief = createTestTopics(brokers, 1);
    const first = await brief.open();
    await first.close();
    await brief.remove();
    const second = await brief.open();
    await second.close();
    await brief.remove();
    expect(new Set([one.id, first.id, second.id]).size).toBe(3);
  });

  test('a process with another partition count is refused', async () => {
    const refused = topics.open({ partitions: 5 });
    await expect(refused).rejects.toMatchObject({ code: 'mismatch', message: expect.stringContaining('partitions') });
  });

  test('a process with another master key than the log was begun with is refused', async () => {
    const own = createTestTopics(brokers, 1);
    try {
      for (const over of [{ masterKeyCheck: 'first' }, { masterKeyCheck: 'first' }, {}])
        await (await own.open(over)).close();
      const message = expect.stringMatching(/^MASTER_KEY is not the one .* give every process the same one/);
      await expect(own.open({ masterKeyCheck: 'second' })).rejects.toMatchObject({ code: 'mismatch', message });
    } finally {
      await own.remove();
    }
  });

  test('a log that was begun without a check of the master key takes any', async () => {
    const own = createTestTopics(brokers, 1);
    try {
      await (await own.open()).close();
      const log = await own.open({ masterKeyCheck: 'first' });
      expect(log.partitions).toBe(1);
      await log.close();
    } finally {
      await own.remove();
    }
  });
});
