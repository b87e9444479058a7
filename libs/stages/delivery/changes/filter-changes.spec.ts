// A filter or transform changes at a record among the events: each event is always sent with the same version.
import { until } from '../../../../test/support/until.ts';
import type { TopicName } from '../../../domain/flow.ts';
import type { LogRecord } from '../../../domain/message.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { Page } from '../../../log/index.ts';
import { ReplayWorld } from '../replays/spec/replay-world.fake.ts';

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

const tellFilters = (filters: readonly object[], id = 'sub_1'): Promise<void> =>
  world.append(
    'subscriptions',
    world.record('FilterDefined', `${id}/filter`, { subscriptionId: id, partition: 0, filters }),
  );

/** Appends the definition up to this change, as lifecycle does before the change itself. */
const define = (newest: number): Promise<void> => tellFilters([0, 1, 2, 3].slice(0, newest + 1).map(text));

/** Resolves once delivery has read the definition. */
async function defined(newest: number): Promise<void> {
  await define(newest);
  const end = await world.log.end('subscriptions', 0);
  await until('the definition to be read', () => (world.positions['subscriptions/0'] ?? 0) >= end);
}

/** For each event, in order of number, the versions that it was sent with. */
const versions = (): (readonly number[])[] => {
  const sent = world.webhook.calls.map((call) => JSON.parse(call.request.body) as { n: number; version: number });
  const byNumber = Map.groupBy(sent, ({ n }) => n);
  return [...byNumber].toSorted(([a], [b]) => a - b).map(([, all]) => [...new Set(all.map(({ version }) => version))]);
};

const attempts = (count: number): Promise<unknown> =>
  until(`${count} attempts`, () => world.webhook.calls.length === count);

/** Restarts when all retries are due, and replays everything. */
async function sendAgain(): Promise<void> {
  await world.stop(0);
  world.webhook.script = () => ({ status: 200 });
  world.clockAheadMs += 3 * 3_600_000;
  await world.start();
  await world.requestReplay('rpl_1');
  await world.whenDone('rpl_1');
}

/** Withholds the topic's records from the tail until the returned function is called. */
function holdBack(topic: TopicName): () => void {
  const tailOf = world.log.tail.bind(world.log);
  let isHolding = true;
  world.log.tail = (from, bounds) => {
    const tail = tailOf(from, bounds);
    const next = tail.next.bind(tail);
    let heldPages: Page[] = [];
    tail.next = async (waitMs) => {
      const all = [...heldPages.splice(0), ...(await next(waitMs))];
      if (!isHolding) return all;
      heldPages = all.filter((page) => page.topic === topic);
      return all.filter((page) => page.topic !== topic);
    };
    return tail;
  };
  return () => (isHolding = false);
}

test('an event that is attempted before the change stands keeps the earlier text, known or not, in retries and replays', async () => {
  world.webhook.script = () => ({ status: 500 });
  await world.start();
  await world.emit([1]);
  await attempts(1);
  await defined(1);
  await world.emit([2]);
  await attempts(2);
  await world.changeFilter('sub_1', 1);
  await world.emit([3]);
  await attempts(3);
  expect(versions()).toEqual([[0], [0], [1]]);
  await world.markAtEnd();
  await sendAgain();
  expect(versions()).toEqual([[0], [0], [1]]);
  expect(world.webhook.calls).toHaveLength(9);
});

test('a change that is read before its definition holds at once, also against older definitions that come later', async () => {
  const release = holdBack('subscriptions');
  await world.start();
  await world.emit([1]);
  await attempts(1);
  await define(0);
  await define(1);
  await world.changeFilter('sub_1', 1);
  await world.emit([2]);
  await attempts(2);
  release();
  await defined(1);
  await world.emit([3]);
  await attempts(3);
  expect(versions()).toEqual([[0], [1], [1]]);
});

test('a process that has lost its partition without knowing goes by the same text as the one that has taken it over', async () => {
  const { tail, own } = world.log;
  const stalled = Promise.withResolvers<never>();
  let isStalled = false;
  world.log.own = async (stage, partition) => {
    const writer = await own.call(world.log, stage, partition);
    const append = writer.append.bind(writer);
    writer.append = (records, positions) =>
      isStalled && stage === 'delivery' ? stalled.promise : append(records, positions);
    return writer;
  };
  holdBack('subscriptions');
  world.webhook.script = () => 'hangs';
  await world.start();
  await world.emit([1]);
  await attempts(1);
  isStalled = true;
  Object.assign(world.log, { own, tail });
  await define(1);
  await world.start();
  await attempts(2);
  await world.changeFilter('sub_1', 1);
  await world.emit([2]);
  await attempts(4);
  expect(versions()).toEqual([[0], [1]]);
  stalled.reject(new PortError('fenced', 'it was taken over'));
  await until('the former owner to end', () => world.fatal.splice(0).length > 0);
});

test('a filter change made while delivery was down applies from its place on the log', async () => {
  await world.start();
  await world.emit([1]);
  await attempts(1);
  await world.stop();
  await world.emit([2]);
  await define(1);
  await world.changeFilter('sub_1', 1);
  await world.emit([3]);
  await world.start();
  await attempts(3);
  expect(versions()).toEqual([[0], [0], [1]]);
});

test.each(['lost', 'on the log'] as const)(
  'each event keeps its text when a kill leaves the place of the change %s',
  async (as) => {
    const own = world.log.own.bind(world.log);
    let isKilled = false;
    world.log.own = async (stage, partition) => {
      const writer = await own(stage, partition);
      const append = writer.append.bind(writer);
      writer.append = async (records, positions) => {
        const isIt = !isKilled && records.some(({ record }) => record.type === 'FiltersPlaced');
        if (isIt && as === 'lost') await attempts(2);
        const offsets = isIt && as === 'lost' ? [] : await append(records, positions);
        if (!isIt) return offsets;
        isKilled = true;
        throw new PortError('unavailable', 'told to be');
      };
      return writer;
    };
    world.webhook.script = () => ({ status: 500 });
    await world.start();
    await defined(1);
    await world.emit([1]);
    await world.changeFilter('sub_1', 1);
    await world.emit([2]);
    await until('the kill', () => isKilled);
    await until('the place on the log', () => placed().length === 1);
    await world.emit([3]);
    await until('the last event', () => versions().length === 3);
    await world.markAtEnd();
    await sendAgain();
    expect(versions()).toEqual([[0], [1], [1]]);
  },
);

const placed = (): readonly LogRecord[] => world.log.records('cursors').filter(({ type }) => type === 'FiltersPlaced');

test('each of several changes applies until the next one; a repeated record changes nothing', async () => {
  await world.start();
  for (const version of [1, 2, 3]) {
    await define(version);
    await world.changeFilter('sub_1', version);
    await world.emit([version]);
  }
  for (const version of [1, 2, 3]) await world.changeFilter('sub_1', version);
  await world.emit([4]);
  await attempts(4);
  await world.markAtEnd();
  const places = placed().at(-1)?.data;
  await sendAgain();
  for (const version of [1, 2, 3]) await world.changeFilter('sub_1', version);
  await world.emit([5]);
  await until('the last event', () => versions().length === 5);
  expect(versions()).toEqual([[1], [2], [3], [3], [3]]);
  expect(placed().at(-1)?.data).toEqual(places);
});

test('a changed filter leaves out what stands behind its change, live and in a replay of a range that the tail has not passed', async () => {
  const release = holdBack('channels');
  release();
  await world.start();
  await world.emit([1]);
  await attempts(1);
  await world.stop();
  const holding = holdBack('channels');
  await world.start();
  await tellFilters([text(0), { ...text(1), filter: { n: [{ numeric: ['<', 10] }] } }]);
  await world.emit([11]);
  await world.changeFilter('sub_1', 1);
  await world.emit([2, 12]);
  await world.requestReplay('rpl_1');
  await until('the replay to begin', () => world.replay('rpl_1')?.state === 'running');
  holding();
  await world.whenDone('rpl_1');
  expect(world.replay('rpl_1')).toMatchObject({ total: 3, counters: { delivered: 3 } });
  await until('the live events', () => world.finished('sub_1/dc_a') === 4);
  expect([world.resent('rpl_1'), world.sentLive()]).toEqual([
    [1, 11, 2],
    [1, 11, 2],
  ]);
  expect(versions()).toEqual([[0], [1], [0]]);
});

test('a subscription to every source goes over for all of them, and its place is removed with it', async () => {
  await tellFilters([text(0)], 'sub_all');
  await world.subscribe('sub_all', { listenerId: 'wh_1', emitterId: 'dc_*', channelEnd: 0 });
  await world.unsubscribe('sub_1');
  await world.start();
  await tellFilters([text(0), text(1)], 'sub_all');
  await world.emit([1], { emitterId: 'dc_a' });
  await world.emit([2], { emitterId: 'dc_b' });
  await world.changeFilter('sub_all', 1);
  await world.emit([3], { emitterId: 'dc_a' });
  await world.emit([4], { emitterId: 'dc_b' });
  await attempts(4);
  expect(versions()).toEqual([[0], [0], [1], [1]]);
  await until('the place on the log', () => placed().length === 1);
  await world.unsubscribe('sub_all');
  await world.append('subscriptions', world.record('SubscriptionDefined', 'sub_all/filter', undefined));
  await until('the place to be removed', () => world.isRemoved('sub_all/filter/places'));
  await world.changeFilter('sub_all', 2);
  await world.emit([5]);
  await world.markAtEnd();
  expect(placed()).toEqual([]);
});
