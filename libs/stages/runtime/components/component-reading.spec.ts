// The runtime knows sources from their definitions, and reads their code from the log when they run.
import type { TopicName } from '../../../domain/flow.ts';
import type { PageBounds } from '../../../log/index.ts';
import type { World } from '../testing/world.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';

let world: World;
const { begin, runs, finished } = worldForEachTest((made) => (world = made));

const outcomes = (): unknown[] => runs().map(({ sourceId, outcome }) => [sourceId, outcome]);
const runnable = { run: () => {} };

/** Leaves `sources` out of tails, so that definitions are known only by reading ahead. */
function hideDefinitions(): void {
  const tail = world.log.tail.bind(world.log);
  world.log.tail = (from, bounds) =>
    tail(
      from.filter(({ topic }) => topic !== 'sources'),
      bounds,
    );
}

/** Collects the offsets at which a topic is read from now on. */
function reads(topic: TopicName): number[] {
  const from: number[] = [];
  const read = world.log.read.bind(world.log);
  world.log.read = (name: TopicName, partition: number, offset: number, bounds: PageBounds) => {
    if (name === topic) from.push(offset);
    return read(name, partition, offset, bounds);
  };
  return from;
}

test('a trigger runs even if it is read before the definition of its source', async () => {
  hideDefinitions();
  await begin();
  await world.deploy('dc_a', runnable);
  await world.post('dc_a', 1);
  await finished(1);
  expect(outcomes()).toEqual([['dc_a', 'succeeded']]);
});

test('a trigger whose definition is not visible yet waits for it without a time limit', async () => {
  hideDefinitions();
  const shown = Promise.withResolvers<void>();
  const settledEnd = world.log.settledEnd.bind(world.log);
  world.log.settledEnd = (topic, partition) => shown.promise.then(() => settledEnd(topic, partition));
  await world.deploy('dc_known', runnable);
  await begin();
  await world.deploy('dc_late', runnable);
  await world.post('dc_late', 1);
  await world.post('dc_known', 1);
  await finished(1);
  expect(outcomes()).toEqual([['dc_known', 'succeeded']]);
  shown.resolve();
  await finished(2);
  expect(outcomes()).toEqual([
    ['dc_known', 'succeeded'],
    ['dc_late', 'succeeded'],
  ]);
});

test('a trigger of a source that was deleted before the start is refused and blocks nothing', async () => {
  await world.deploy('dc_gone', runnable);
  await world.endSource('dc_gone');
  await world.deploy('dc_a', runnable);
  await world.post('dc_gone', 1);
  await world.trigger('dc_gone', { kind: 'deactivate' });
  await world.post('dc_a', 1);
  await begin();
  await finished(3);
  expect(outcomes().toSorted()).toEqual([
    ['dc_a', 'succeeded'],
    ['dc_gone', 'refused'],
    ['dc_gone', 'refused'],
  ]);
});

test('triggers of a source with an unreadable definition wait, and other sources continue', async () => {
  await world.append('sources', 'SourceDefined', 'dc_spoiled', { sourceId: 'dc_spoiled', revision: 'one' });
  await world.deploy('dc_a', runnable);
  await world.post('dc_spoiled', 1);
  await world.post('dc_a', 1);
  await begin();
  await finished(1);
  await world.post('dc_a', 2);
  await finished(2);
  expect(outcomes()).toEqual([
    ['dc_a', 'succeeded'],
    ['dc_a', 'succeeded'],
  ]);
});

test('runs of a source with unreadable code are refused with a reason, and other sources continue', async () => {
  await world.deploy('dc_spoiled', runnable);
  await world.deploy('dc_a', runnable);
  const read = world.log.read.bind(world.log);
  world.log.read = async (topic, partition, from, bounds) => {
    const page = await read(topic, partition, from, bounds);
    const records = page.records.map((record) =>
      record.key === 'dc_spoiled' && record.type === 'SourceDeploying' ? { ...record, data: 5 } : record,
    );
    return { ...page, records };
  };
  await begin();
  for (const sourceId of ['dc_spoiled', 'dc_a', 'dc_spoiled']) await world.post(sourceId, 1);
  await finished(3);
  expect(runs().filter(({ outcome }) => outcome === 'refused')).toMatchObject([
    { sourceId: 'dc_spoiled', error: { name: 'ComponentUnreadableError' } },
    { sourceId: 'dc_spoiled', error: { name: 'ComponentUnreadableError' } },
  ]);
});

test('a start reads no code, and a run reads only the code of its source, once', async () => {
  const ids = Array.from({ length: 50 }, (_, n) => `dc_${n}`);
  for (const sourceId of ids) await world.deploy(sourceId, runnable);
  const from = reads('components');
  await begin();
  expect(from).toEqual([]);
  for (let n = 0; n < 3; n++) await world.post('dc_40', n);
  await finished(3);
  expect(from).toHaveLength(2);
  await world.post('dc_41', 1);
  await finished(4);
  expect(from).toHaveLength(4);
});

test('sources whose code does not fit into memory still run in order', async () => {
  const seen: unknown[] = [];
  for (const sourceId of ['dc_a', 'dc_b', 'dc_c']) {
    await world.deploy(sourceId, { run: ({ event }) => void seen.push([sourceId, (event as { body: number }).body]) });
  }
  await begin({ limits: { componentBytesMax: 100 } });
  for (let n = 0; n < 20; n++) for (const sourceId of ['dc_a', 'dc_b', 'dc_c']) await world.post(sourceId, n);
  await finished(60);
  for (const sourceId of ['dc_a', 'dc_b', 'dc_c']) {
    const own = seen.filter((one) => (one as [string, number])[0] === sourceId);
    expect(own).toEqual(Array.from({ length: 20 }, (_, n) => [sourceId, n]));
  }
});

test('a run waits when the definition is visible before the component record it names', async () => {
  await world.deploy('dc_a', runnable);
  let isShown = false;
  const { read, settledEnd } = world.log;
  world.log.read = async (topic: TopicName, partition: number, from: number, bounds: PageBounds) => {
    const isHidden = topic === 'components' && !isShown;
    return isHidden
      ? { topic, partition, records: [], next: from }
      : read.call(world.log, topic, partition, from, bounds);
  };
  world.log.settledEnd = (topic, partition) => {
    if (topic === 'components') isShown = true;
    return settledEnd.call(world.log, topic, partition);
  };
  await begin();
  await world.post('dc_a', 1);
  await finished(1);
  expect(outcomes()).toEqual([['dc_a', 'succeeded']]);
});
