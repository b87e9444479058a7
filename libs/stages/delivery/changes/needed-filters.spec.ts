// Events that wait, are parked or are replayed still need their filters and transforms, and all newer versions.
import { jest } from '@jest/globals';
import { PortError } from '../../../domain/port-error.ts';
import { until } from '../../../../test/support/until.ts';
import type { Reply } from '../../../log/log.ts';
import { ReplayWorld } from '../replays/spec/replay-world.fake.ts';
import { Registry } from '../subscriptions/subscription-registry.ts';
import { NeededFilters } from './needed-filters.ts';
import type { NeededFiltersOptions } from './needed-filters.ts';

let world: ReplayWorld;
beforeEach(async () => {
  world = await ReplayWorld.with({ ordered: false, retrySchedule: [3_600] }, [text(0)]);
});
afterEach(async () => {
  expect(world.fatal).toEqual([]);
  await world.end();
});

const text = (version: number) => ({
  channelEnds: [],
  ...(version === 0 ? {} : { version }),
  filter: null,
  transform: `({ n }) => ({ body: { n, version: ${version} } })`,
});

const define = (versions: readonly number[]): Promise<void> => {
  const data = { subscriptionId: 'sub_1', partition: 0, filters: versions.map(text) };
  return world.append('subscriptions', world.record('FilterDefined', 'sub_1/filter', data));
};

/** Changes the transform, emits one event that uses it, and returns the event's id. */
async function emitBy(version: number): Promise<string | undefined> {
  await define(Array.from({ length: version + 1 }, (_, n) => n));
  await world.changeFilter('sub_1', version);
  return (await world.emit([version]))[0];
}

let requestCount = 0;
const neededFrom = async (): Promise<number> => (await needed()).neededFrom;
async function needed(subscriptionId = 'sub_1') {
  const data = { subscriptionId, replyTo: 'gw_1' };
  const now = { ...world.record('FiltersNeededRequested', subscriptionId, data), at: Date.now() };
  const record = { ...now, correlationId: `asked_${requestCount++}` };
  const answer = Promise.withResolvers<Extract<Reply, { readonly type: 'FiltersNeeded' }>>();
  const leave = world.log.onReply('gw_1', (reply) => {
    if (reply.type === 'FiltersNeeded' && reply.correlationId === record.correlationId) answer.resolve(reply);
  });
  await world.log.request({ topic: 'requests', partition: 0, record });
  return answer.promise.finally(leave);
}

const answered = (count: number): Promise<unknown> =>
  until(`${count} attempts on the log`, () => world.log.records('deliveries').length >= count);

test('what waits for a retry needs the version of its time, and what is delivered needs none', async () => {
  world.webhook.script = ({ body }) => ({ status: body.includes('"n":2,') ? 500 : 200 });
  await world.start();
  for (const version of [1, 2, 3]) await emitBy(version);
  await answered(3);
  expect(await neededFrom()).toBe(2);
  world.webhook.script = () => ({ status: 200 });
  world.clockAheadMs += 3 * 3_600_000;
  await world.stop();
  await world.start();
  await answered(4);
  world.clockAheadMs = 0;
  expect(await neededFrom()).toBe(3);
});

test('an event that is parked, or a replay under way, may need any', async () => {
  world.webhook.script = () => ({ status: 500 });
  await world.addWebhook('wh_1', { ordered: false, retrySchedule: [] });
  await world.start();
  await world.emit([0]);
  await emitBy(1);
  await answered(2);
  await emitBy(2);
  await answered(3);
  expect(await neededFrom()).toBe(0);
  world.webhook.script = () => 'hangs';
  await world.requestReplay('rpl_1');
  await until('it to run', () => world.resent('rpl_1').length === 3);
  expect(await neededFrom()).toBe(0);
  for (const call of world.webhook.calls) if (call.outcome === undefined) call.settle({ status: 200 });
  await world.whenDone('rpl_1');
  expect(await neededFrom()).toBe(2);
});

test('a replay under way may need any version also when nothing is parked', async () => {
  await world.start();
  for (const version of [1, 2]) await emitBy(version);
  await answered(2);
  expect(await neededFrom()).toBe(2);
  world.webhook.script = () => 'hangs';
  await world.requestReplay('rpl_1');
  await until('it to run', () => world.resent('rpl_1').length === 2);
  expect(await neededFrom()).toBe(0);
  for (const call of world.webhook.calls) if (call.outcome === undefined) call.settle({ status: 200 });
  await world.whenDone('rpl_1');
  expect(await neededFrom()).toBe(2);
});

test('an answer waits until finished deliveries are on the log, and later requests have room after it', async () => {
  const replies: string[] = [];
  const log = {
    reply: (_to: string, { correlationId }: { readonly correlationId: string }) => void replies.push(correlationId),
  };
  let written = Promise.withResolvers<void>();
  const options = {
    context: { log, partition: 0, fail: (error: Error) => void world.fatal.push(error) },
    registry: new Registry(),
    outbox: { whenWritten: () => written.promise },
    ambient: { now: Date.now },
    tailAt: () => 0,
  };
  const answering = new NeededFilters(options as unknown as NeededFiltersOptions, () => false);
  const data = { subscriptionId: 'sub_1', replyTo: 'gw_1' };
  const ask = (correlationId: string, ownWorkspace = 'o_1'): void => {
    const record = {
      ...world.record('FiltersNeededRequested', 'sub_1', data),
      at: Date.now(),
      workspace: ownWorkspace,
    };
    answering.answer({ ...record, correlationId } as unknown as Parameters<NeededFilters['answer']>[0]);
  };
  for (let round = 0; round < 5; round++) {
    written = Promise.withResolvers();
    const before = replies.length;
    for (let n = 0; n < 40; n++) ask(`${round}/${n}`);
    ask(`${round}/other`, 'o_2');
    await new Promise(setImmediate);
    expect(replies.length).toBe(before);
    written.resolve();
    await until('the answers', () => replies.includes(`${round}/other`));
    expect(replies.slice(before)).toHaveLength(17);
  }
});

test('an event that was parked needs no version once retention has removed it', async () => {
  world.webhook.script = ({ body }) => ({ status: body.includes('"n":1,') ? 500 : 200 });
  await world.addWebhook('wh_1', { ordered: false, retrySchedule: [] });
  await world.start();
  await emitBy(1);
  const second = await emitBy(2);
  await emitBy(3);
  await answered(3);
  expect(await neededFrom()).toBe(1);
  const page = await world.log.read('channels', 0, 0, { recordsMax: 100, bytesMax: 1_000_000 });
  const offset = page.records.find(({ data }) => (data as { eventId?: string }).eventId === second)?.offset ?? 0;
  await world.log.trim('channels', 0, offset);
  expect(await needed()).toMatchObject({ neededFrom: 2, offset });
});

test.each([1, 3])(
  'while the log cannot be read, here %i times, it is asked again until the answer is right',
  async (times) => {
    world.webhook.script = ({ body }) => ({ status: body.includes('"n":1,') ? 500 : 200 });
    await world.addWebhook('wh_1', { ordered: false, retrySchedule: [] });
    await world.start();
    for (const version of [1, 2]) await emitBy(version);
    await answered(3);
    const read = jest.spyOn(world.log, 'read');
    for (let n = 0; n < times; n++) read.mockRejectedValueOnce(new PortError('unavailable', 'told to fail'));
    try {
      expect(await neededFrom()).toBe(1);
      expect(read.mock.calls.length).toBeGreaterThan(times);
    } finally {
      read.mockRestore();
    }
  },
);

test('a log that is damaged is not taken for one without events', async () => {
  world.webhook.script = () => ({ status: 500 });
  await world.addWebhook('wh_1', { ordered: false, retrySchedule: [] });
  await world.start();
  await emitBy(1);
  await answered(1);
  const damaged = new PortError('corrupt', 'told to fail');
  const read = jest.spyOn(world.log, 'read').mockRejectedValueOnce(damaged);
  let hasAnswer = false;
  void needed().then(() => (hasAnswer = true));
  await until('the task to end', () => world.fatal.length > 0);
  read.mockRestore();
  expect([world.fatal.splice(0), hasAnswer]).toEqual([[damaged], false]);
});

test('a replay does not send events whose transform is not kept any more, also after a restart', async () => {
  await world.start();
  for (const version of [1, 2, 3]) await emitBy(version);
  await answered(3);
  await define([2, 3]);
  for (const replayId of ['rpl_1', 'rpl_2']) {
    await world.requestReplay(replayId);
    await world.whenDone(replayId);
    expect(world.resent(replayId)).toEqual([2, 3]);
    expect(world.replay(replayId)?.counters).toMatchObject({ published: 3, delivered: 2, expired: { retention: 1 } });
    await world.stop();
    await world.start();
  }
});

test('it tells the lowest offset needed: filters of an earlier program have no version', async () => {
  world.webhook.script = ({ body }) => ({ status: body.includes('"n":2,') ? 500 : 200 });
  await world.start();
  const [, second] = await world.emit([1, 2, 3]);
  await answered(3);
  const records = world.log.records('channels');
  const offset = records.findIndex(({ data }) => (data as { eventId?: string }).eventId === second);
  expect(await needed()).toMatchObject({ neededFrom: 0, offset });
  world.webhook.script = () => ({ status: 200 });
  world.clockAheadMs += 3 * 3_600_000;
  await world.stop();
  await world.start();
  await answered(4);
  world.clockAheadMs = 0;
  expect((await needed()).offset).toBeGreaterThan(offset);
});

test('a dry run counts no events whose transform is not kept any more, with deleted ones and without', async () => {
  await world.start();
  const ids: (string | undefined)[] = [];
  for (const version of [1, 2, 3, 4]) ids.push(await emitBy(version));
  await answered(4);
  await define([2, 3, 4]);
  await world.requestReplay('rpl_1', { dryRun: true });
  await world.whenDone('rpl_1');
  expect(world.replay('rpl_1')).toMatchObject({ total: 3, ends: { first: ids[1], last: ids[3] } });
  await world.delete({ startId: ids[2] ?? null, endId: ids[2] ?? null });
  await world.markAtEnd();
  await world.requestReplay('rpl_2', { dryRun: true });
  await world.whenDone('rpl_2');
  expect(world.replay('rpl_2')).toMatchObject({ total: 2, ends: { first: ids[1], last: ids[3] } });
});

test('of a subscription that delivery does not know any may be needed', async () => {
  await world.start();
  expect(await needed('sub_9')).toMatchObject({ neededFrom: 0, offset: 0 });
});
