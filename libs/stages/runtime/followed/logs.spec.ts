import type { LogsRequest } from '../../../domain/channel/messages.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { PortError } from '../../../domain/port-error.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import type { Writer } from '../../../log/log.ts';
import { CheckedLog } from '../../loop/reading/checked-log.ts';
import { until } from '../testing/life.fake.ts';
import { Logs } from './logs.ts';
import { Subscribers } from './subscribers.ts';

let log: MemoryLog;
let lifecycle: Writer;
let logs: Logs;
let subscribers: Subscribers;
const failed: Error[] = [];
const contextOf = (of: MemoryLog) => ({
  log: new CheckedLog(of, { malformed: () => {}, newer: () => {} }),
  partition: 0,
  fail: (error: Error) => void failed.push(error),
  tolerate: <T>(_record: unknown, use: () => T) => use(),
});

beforeEach(async () => {
  log = new MemoryLog({ partitions: 1 });
  lifecycle = await log.own('lifecycle', 0);
  subscribers = new Subscribers();
  logs = new Logs({ context: contextOf(log), subscribers, from: 0 });
  await until(() => !logs.isTold('dc_a', 'o_1'), 'what stood at the start to be read');
});
afterEach(() => {
  logs.stop();
  expect(failed.splice(0)).toEqual([]);
});

const envelope = { version: 1, at: 0, workspace: 'o_1', correlationId: 'req_1', causationId: 'req_1' };
/** Appends a definition, or a tombstone; `eventName` null: every channel except the service's own. */
async function define(subscriptionId: string, emitterId?: string, eventName: string | null = '$logs'): Promise<void> {
  const rest = { listenerId: 'wh_1', eventName, createdAt: 0, madeBy: null, from: 0 };
  const data = emitterId === undefined ? undefined : { subscriptionId, emitterId, ...rest };
  const record = { ...envelope, id: `rec_${subscriptionId}`, type: 'SubscriptionDefined', key: subscriptionId, data };
  await lifecycle.append([{ topic: 'subscriptions', partition: 0, record }], {});
}
const request = (emitterId: string): void =>
  logs.request({
    ...envelope,
    id: 'rec_1',
    type: 'LogsRequested',
    key: emitterId,
    data: { emitterId },
    topic: 'triggers',
    partition: 0,
    offset: 0,
  } as StoredRecord<LogsRequest>);
/** Passes new records on, as the tail does. */
async function read(): Promise<void> {
  const { records, next } = await contextOf(log).log.read('subscriptions', 0, 0, {
    recordsMax: 100_000,
    bytesMax: 1e9,
  });
  logs.take(records, next);
}
const told = (...ids: readonly string[]): boolean[] => ids.map((id) => logs.isTold(id, 'o_1'));

test('reports a source until its last subscription is deleted, and every source while one subscription is to all', async () => {
  await define('sub_1', 'dc_a');
  await define('sub_2', 'dc_a');
  await define('sub_3', 'dc_*');
  await read();
  await read();
  expect(told('dc_a', 'dc_b')).toEqual([true, true]);
  expect(logs.isTold('dc_a', 'o_2')).toBe(true);
  expect(logs.isTold('dc_b', 'o_2')).toBe(false);
  await define('sub_3');
  await define('sub_1');
  await read();
  expect(told('dc_a', 'dc_b')).toEqual([true, false]);
  await define('sub_2');
  await read();
  expect(told('dc_a', 'dc_b')).toEqual([false, false]);
});

test.each(['o_1', 'u_1'])(
  'a subscription to the owner %s, or a request for one, covers all sources of its workspace',
  async (owner) => {
    request(owner);
    expect(told('dc_a', 'dc_b')).toEqual([true, true]);
    await define('sub_1', owner);
    await read();
    expect(told('dc_a', 'dc_b')).toEqual([true, true]);
    expect(logs.isTold('dc_a', 'o_2')).toBe(false);
  },
);

test('a request counts until its subscription has been read, and then the subscription counts', async () => {
  await define('sub_1', 'dc_a');
  request('dc_a');
  expect(told('dc_a', 'dc_b')).toEqual([true, false]);
  await new Promise(setImmediate);
  expect(told('dc_a')).toEqual([true]);
  await read();
  await define('sub_1');
  await read();
  await until(() => !logs.isTold('dc_a', 'o_1'), 'the request to be forgotten');
});

test('forgets a request that is read after its subscription was deleted, even if nothing else is read', async () => {
  await define('sub_1', 'dc_a');
  await define('sub_1');
  await read();
  request('dc_a');
  expect(told('dc_a')).toEqual([true]);
  await until(() => !logs.isTold('dc_a', 'o_1'), 'the request to be forgotten');
});

test('after a start, reports every source until all subscriptions that existed then have been read', async () => {
  const shown = Promise.withResolvers<void>();
  const { settledEnd } = log;
  log.settledEnd = (topic, partition) => shown.promise.then(() => settledEnd.call(log, topic, partition));
  await define('sub_1', 'dc_a');
  logs = new Logs({ context: contextOf(log), subscribers, from: 0 });
  expect(told('dc_a', 'dc_b')).toEqual([true, true]);
  await read();
  expect(told('dc_a', 'dc_b')).toEqual([true, true]);
  shown.resolve();
  await until(() => !logs.isTold('dc_b', 'o_1'), 'the others not to be told of');
  expect(told('dc_a')).toEqual([true]);
});

test('asks the log again after a failure, and does not lose a second request in the meantime', async () => {
  let asked = 0;
  const settledEnd = log.settledEnd.bind(log);
  log.settledEnd = async (topic, partition) => {
    if (++asked === 1) throw new PortError('unavailable', 'told to be unavailable');
    return settledEnd(topic, partition);
  };
  request('dc_a');
  request('dc_b');
  expect(told('dc_a', 'dc_b')).toEqual([true, true]);
  await until(() => told('dc_a', 'dc_b').every((one) => !one), 'both to be forgotten');
  expect(asked).toBe(2);
});

test('10,000 subscriptions to other channels leave no state behind', () => {
  const records = Array.from({ length: 10_000 }, (_, n) => `sub_${n}`).map((subscriptionId, n) => ({
    ...envelope,
    id: `rec_${n}`,
    type: 'SubscriptionDefined',
    key: subscriptionId,
    topic: 'subscriptions',
    partition: 0,
    offset: n,
    data: {
      subscriptionId,
      emitterId: `dc_${n}`,
      listenerId: 'wh_1',
      eventName: null,
      createdAt: 0,
      madeBy: null,
      from: 0,
    },
  })) as RecordOn<'subscriptions'>[];
  logs.take(records, 10_000);
  expect(records.some(({ data }) => logs.isTold((data as { emitterId: string }).emitterId, 'o_1'))).toBe(false);
  expect(subscribers.size).toBe(0);
});
