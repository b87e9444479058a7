import type { LogsRequest } from '../../../domain/channel/messages.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { PortError } from '../../../domain/port-error.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import type { Writer } from '../../../log/log.ts';
import { CheckedLog } from '../../loop/reading/checked-log.ts';
import { until } from '../testing/life.fake.ts';
import { LogsReporting } from './logs-reporting.ts';
import { LogsSubscribers } from './subscribers.ts';

let log: MemoryLog;
let lifecycle: Writer;
let logs: LogsReporting;
let subscribers: LogsSubscribers;
const failed: Error[] = [];
const contextOf = (of: MemoryLog) => ({
  log: new CheckedLog(of, { reportMalformed: () => {}, reportNewer: () => {} }),
  partition: 0,
  fail: (error: Error) => void failed.push(error),
  tolerate: <T>(_record: unknown, use: () => T) => use(),
});

beforeEach(async () => {
  log = new MemoryLog({ partitions: 1 });
  lifecycle = await log.own('lifecycle', 0);
  subscribers = new LogsSubscribers();
  logs = new LogsReporting({ context: contextOf(log), subscribers, from: 0 });
  await until(() => !logs.isReported('dc_a', 'o_1'), 'what stood at the start to be read');
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
  logs.addRequest({
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
  logs.apply(records, next);
}
const reported = (...ids: readonly string[]): boolean[] => ids.map((id) => logs.isReported(id, 'o_1'));

test('reports a source until its last subscription is deleted, and every source while one subscription is to all', async () => {
  await define('sub_1', 'dc_a');
  await define('sub_2', 'dc_a');
  await define('sub_3', 'dc_*');
  await read();
  await read();
  expect(reported('dc_a', 'dc_b')).toEqual([true, true]);
  expect(logs.isReported('dc_a', 'o_2')).toBe(true);
  expect(logs.isReported('dc_b', 'o_2')).toBe(false);
  await define('sub_3');
  await define('sub_1');
  await read();
  expect(reported('dc_a', 'dc_b')).toEqual([true, false]);
  await define('sub_2');
  await read();
  expect(reported('dc_a', 'dc_b')).toEqual([false, false]);
});

test.each(['o_1', 'u_1'])(
  'a subscription to the owner %s, or a request for one, covers all sources of its workspace',
  async (owner) => {
    request(owner);
    expect(reported('dc_a', 'dc_b')).toEqual([true, true]);
    await define('sub_1', owner);
    await read();
    expect(reported('dc_a', 'dc_b')).toEqual([true, true]);
    expect(logs.isReported('dc_a', 'o_2')).toBe(false);
  },
);

test('a request counts until its subscription has been read, and then the subscription counts', async () => {
  await define('sub_1', 'dc_a');
  request('dc_a');
  expect(reported('dc_a', 'dc_b')).toEqual([true, false]);
  await new Promise(setImmediate);
  expect(reported('dc_a')).toEqual([true]);
  await read();
  await define('sub_1');
  await read();
  await until(() => !logs.isReported('dc_a', 'o_1'), 'the request to be forgotten');
});

test('forgets a request that is read after its subscription was deleted, even if nothing else is read', async () => {
  await define('sub_1', 'dc_a');
  await define('sub_1');
  await read();
  request('dc_a');
  expect(reported('dc_a')).toEqual([true]);
  await until(() => !logs.isReported('dc_a', 'o_1'), 'the request to be forgotten');
});

test('after a start, reports every source until all subscriptions that existed then have been read', async () => {
  const shown = Promise.withResolvers<void>();
  const { settledEnd } = log;
  log.settledEnd = (topic, partition) => shown.promise.then(() => settledEnd.call(log, topic, partition));
  await define('sub_1', 'dc_a');
  logs = new LogsReporting({ context: contextOf(log), subscribers, from: 0 });
  expect(reported('dc_a', 'dc_b')).toEqual([true, true]);
  await read();
  expect(reported('dc_a', 'dc_b')).toEqual([true, true]);
  shown.resolve();
  await until(() => !logs.isReported('dc_b', 'o_1'), 'the others not to be told of');
  expect(reported('dc_a')).toEqual([true]);
});

test('asks the log again after a failure, and does not lose a second request in the meantime', async () => {
  let calls = 0;
  const settledEnd = log.settledEnd.bind(log);
  log.settledEnd = async (topic, partition) => {
    if (++calls === 1) throw new PortError('unavailable', 'told to be unavailable');
    return settledEnd(topic, partition);
  };
  request('dc_a');
  request('dc_b');
  expect(reported('dc_a', 'dc_b')).toEqual([true, true]);
  await until(() => reported('dc_a', 'dc_b').every((one) => !one), 'both to be forgotten');
  expect(calls).toBe(2);
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
  logs.apply(records, 10_000);
  expect(records.some(({ data }) => logs.isReported((data as { emitterId: string }).emitterId, 'o_1'))).toBe(false);
  expect(subscribers.size).toBe(0);
});
