// Large removals are noted: the checkpoint moves on, others continue, and each note is carried out, even after a crash.
import { immediateRemovalMax, removalsMax, removalsView, viewDefinitions } from '../../../domain/views/index.ts';
import type { RemovalView } from '../../../domain/views/index.ts';
import { PortError } from '../../../domain/port-error.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import { MemoryViewStore } from '../../../view-store/view-store.fake.ts';
import { until } from '../../../../test/support/until.ts';
import { control, GeneratedHistory, type Step } from '../histories.fake.ts';
import { Projection } from '../projection.ts';
import { snapshot } from '../snapshot.fake.ts';

const workspace = 'o_0000000000000001';
const many = immediateRemovalMax + 1;

const subscribed = (subscriptionId: string, listenerId = 'wh_1'): Step =>
  control('listeners', 'SubscriptionCreated', {
    subscriptionId,
    emitterId: 'dc_1',
    listenerId,
    eventName: null,
    fingerprint: null,
    channelEnds: [0, 0, 0],
  });
const subscribedTimes = (count: number): Step[] => Array.from({ length: count }, (_, n) => subscribed(`sub_${n}`));
const deleted = control('listeners', 'WebhookDeleted', { webhookId: 'wh_1' });

const running: Projection[] = [];
const fatal: unknown[] = [];
afterEach(async () => {
  for (const projection of running.splice(0)) await projection.stop();
  expect(fatal.splice(0)).toEqual([]);
});

function setUp() {
  const log = new MemoryLog({ partitions: 3 });
  const views = new MemoryViewStore(viewDefinitions);
  const live = views.live();
  const gate = { before: (): Promise<void> => Promise.resolve() };
  const leavesOptions: string[] = [];
  const remove = live.removeRange.bind(live);
  live.removeRange = async (view, range) => {
    if (view === 'subscriptions') {
      await gate.before();
      leavesOptions.push(range.leaves);
    }
    await remove(view, range);
  };
  const start = async (): Promise<Projection> => {
    const projection = new Projection({ log, views });
    running.push(projection);
    await projection.start((error) => fatal.push(error));
    return projection;
  };
  const remaining = () => live.count('subscriptions', { index: 'byListener', equals: [workspace, 'wh_1'] });
  const notes = async (): Promise<string[]> => {
    const ids: string[] = [];
    for await (const { id } of live.all(removalsView)) ids.push(id);
    return ids;
  };
  const viewsCaughtUp = () =>
    until('the views', async () => (await live.checkpoint())['listeners/0'] === (await log.end('listeners', 0)));
  return {
    live,
    gate,
    left: leavesOptions,
    start,
    standing: remaining,
    notes,
    passed: viewsCaughtUp,
    history: new GeneratedHistory(log),
  };
}

test('the views pass the deletion of a webhook while its many subscriptions are removed, and show later records', async () => {
  const { live, gate, left, start, standing, notes, passed, history } = setUp();
  const { promise, resolve } = Promise.withResolvers<void>();
  gate.before = () => promise;
  await history.append(subscribedTimes(many));
  await start();
  await passed();
  await history.append([deleted, subscribed('sub_next', 'wh_2')]);
  await passed();
  expect([await standing(), await notes()]).toEqual([
    many,
    [expect.stringMatching(/^subscriptions\/listeners\/0\/\d+$/)],
  ]);
  expect(await live.get('subscriptions', 'sub_next')).toBeDefined();
  resolve();
  await until('the note to be carried out', async () => (await notes()).length === 0);
  expect([await standing(), left]).toEqual([0, ['fading']]);
  expect(await live.get('subscriptions', 'sub_next')).toBeDefined();
});

test('a few documents are removed before the views pass the record', async () => {
  const { start, standing, notes, passed, history, left } = setUp();
  await history.append([...subscribedTimes(immediateRemovalMax), deleted]);
  await start();
  await passed();
  expect([await standing(), await notes(), left]).toEqual([0, [], ['tombstones']]);
});

test('the next start carries out a removal that a crash left noted, and rebuilt views are the same', async () => {
  const { live, start, standing, notes, passed, history } = setUp();
  await history.append(subscribedTimes(many));
  const first = await start();
  await passed();
  await first.stop();
  await history.append([deleted]);
  const place = many;
  const value: RemovalView = {
    note: 'n',
    view: 'subscriptions',
    index: 'byListener',
    equals: [workspace, 'wh_1'],
    place,
    partition: 0,
  };
  await live.put([{ view: removalsView, id: 'n', version: place, value }]);
  await live.saveCheckpoint({ 'listeners/0': many + 1 });
  const second = await start();
  await until('the note to be carried out', async () => (await notes()).length === 0);
  expect(await standing()).toBe(0);
  const before = await snapshot(live);
  await second.rebuild();
  expect(await snapshot(live)).toEqual(before);
});

test('leaves a note for a partition of another projection to its owner', async () => {
  const { live, start, notes, passed, history } = setUp();
  const note = (id: string, partition: number) => {
    const value: RemovalView = {
      note: id,
      view: 'subscriptions',
      index: 'byListener',
      equals: [workspace, 'wh_1'],
      place: 1,
      partition,
    };
    return { view: removalsView, id, version: 1, value };
  };
  await live.put([note('own', 0), note('foreign', 7)]);
  await history.append([subscribed('sub_1', 'wh_2')]);
  await start();
  await passed();
  await until('its own', async () => (await notes()).length === 1);
  expect(await notes()).toEqual(['foreign']);
});

test('retries a failed removal until it is carried out', async () => {
  const { gate, start, standing, notes, passed, history } = setUp();
  let failures = 2;
  gate.before = () => (failures-- > 0 ? Promise.reject(new PortError('unavailable', 'told to be')) : Promise.resolve());
  await history.append([...subscribedTimes(many), deleted]);
  await start();
  await passed();
  await until('the note to be carried out', async () => (await notes()).length === 0);
  expect([await standing(), failures < 0]).toEqual([0, true]);
});

test('the views wait for the next removal when too many notes are pending', async () => {
  const { live, start, standing, notes, passed, history } = setUp();
  const place = 10_000;
  const others = Array.from({ length: removalsMax }, (_, n) => {
    const value: RemovalView = {
      note: `n${n}`,
      view: 'subscriptions',
      index: 'byListener',
      equals: ['o_2', ''],
      place,
      partition: 7,
    };
    return { view: removalsView, id: `n${n}`, version: place, value };
  });
  await live.put(others);
  await history.append([...subscribedTimes(many), deleted]);
  await start();
  await passed();
  expect([await standing(), (await notes()).length]).toEqual([0, removalsMax]);
});
