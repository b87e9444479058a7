// Documents are removed while the projection continues: only the partition whose record caused the removal waits.
import { partitionOf } from '../../../domain/flow.ts';
import { viewDefinitions } from '../../../domain/views/index.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { ViewRange } from '../../../view-store/view-store.ts';
import { MemoryViewStore } from '../../../view-store/view-store.fake.ts';
import { until } from '../../../../test/support/until.ts';
import { GeneratedHistory, type Step } from '../histories.fake.ts';
import { Projection } from '../projection.ts';
import { withoutCovered } from './removal.ts';

const partitions = 3;
/** One source in each partition. */
const [one = '', other = ''] = ['dc_1', 'dc_2', 'dc_3'].filter(
  (id, index, all) =>
    all.findIndex((first) => partitionOf(first, partitions) === partitionOf(id, partitions)) === index,
);

const emitted = (emitterId: string, seq: number): Step => {
  const data = { emitterId, eventId: `1000-${seq}`, channel: '', event: seq, emit: {}, runId: 'run_1' };
  return { topic: 'channels', emitterId, type: 'EventEmitted', data };
};
const deleted = (emitterId: string, endId: string | null = null): Step => {
  const data = { emitterId, channel: null, startId: null, endId };
  return { topic: 'channels', emitterId, type: 'EventsDeleted', data };
};

let projection: Projection | undefined;
const fatal: unknown[] = [];
afterEach(async () => {
  await projection?.stop();
  expect(fatal).toEqual([]);
});

async function setUp() {
  const log = new MemoryLog({ partitions });
  const views = new MemoryViewStore(viewDefinitions);
  const live = views.live();
  const ranges: ViewRange[] = [];
  const remove = live.removeRange.bind(live);
  const gate = { before: (): Promise<void> => Promise.resolve() };
  live.removeRange = async (view, range) => {
    await gate.before();
    ranges.push(range);
    await remove(view, range);
  };
  projection = new Projection({ log, views });
  await projection.start((error) => fatal.push(error));
  const count = (emitterId: string) => live.count('events', { index: 'byEmitter', equals: [emitterId] });
  return { log, views, live, ranges, gate, count, history: new GeneratedHistory(log) };
}

test('a long removal holds up only its own partition, whose checkpoint waits until it is done', async () => {
  const { log, live, gate, count, history } = await setUp();
  const { promise, resolve } = Promise.withResolvers<void>();
  gate.before = () => promise;
  await history.append([emitted(one, 0), deleted(one), emitted(one, 1), emitted(other, 0)]);
  await until('the neighbour', async () => (await count(other)) === 1);
  await history.append([emitted(other, 1), emitted(one, 2)]);
  await until('the neighbour again', async () => (await count(other)) === 2);
  const key = `channels/${partitionOf(one, partitions)}`;
  const end = await log.end('channels', partitionOf(one, partitions));
  expect((await live.checkpoint())[key] ?? 0).toBeLessThan(end);
  resolve();
  await until('the checkpoint', async () => (await live.checkpoint())[key] === end);
  expect(await count(one)).toBe(2);
});

test('retries a failed removal from the checkpoint on', async () => {
  const { gate, count, history } = await setUp();
  await history.append([emitted(one, 0), emitted(one, 1)]);
  await until('both', async () => (await count(one)) === 2);
  let failures = 2;
  gate.before = () => (failures-- > 0 ? Promise.reject(new PortError('unavailable', 'told to be')) : Promise.resolve());
  await history.append([deleted(one, '1000-0')]);
  await until('one to be left', async () => (await count(one)) === 1);
  expect(failures).toBeLessThan(0);
});

test('what is left of documents that the checkpoint had already passed fades', async () => {
  const { live, ranges, count, history } = await setUp();
  await history.append([emitted(one, 0)]);
  await until('the first', async () => (await count(one)) === 1);
  await until('its checkpoint', async () => Object.keys(await live.checkpoint()).length > 0);
  await history.append([deleted(one)]);
  await until('none', async () => (await count(one)) === 0);
  await until('the removal', async () => ranges.length > 0);
  expect(ranges[0]).toMatchObject({ leaves: 'fading' });
});

test('drops removals that a later one covers, and keeps those of separate ranges', () => {
  const removal = (from: string, to: string, offset: number) => ({
    view: 'events',
    target: { index: 'byEmitter', equals: ['dc_1'], from, to, isMany: true },
    record: { partition: 0, offset } as never,
  });
  const all = Array.from({ length: 10_000 }, (_, n) => removal('', `${n}`.padStart(5, '0'), n));
  expect(withoutCovered(all)).toEqual(all.slice(-1));
  const apart = [removal('1', '2', 1), removal('0', '2', 2), removal('3', '4', 3)];
  expect(withoutCovered(apart)).toEqual(apart.slice(1));
});
