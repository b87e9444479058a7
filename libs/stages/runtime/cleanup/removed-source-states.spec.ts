// A source's record on `state` is deleted with the source, but only when its triggers cannot be read again.
import { PortError } from '../../../domain/port-error.ts';
import { until } from '../testing/life.fake.ts';
import type { World } from '../testing/world.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';

let world: World;
const { begin, runs, finished, life } = worldForEachTest((made) => (world = made));

const stateKeys = (): string[] =>
  world.log.records('state').flatMap(({ key, data }) => (data === undefined || data === null ? [] : [key]));
const component = { run: ({ db }: { db: { set: (key: string, value: number) => void } }) => db.set('n', 1) };

test('removes the state of a deleted source and keeps that of others', async () => {
  for (const sourceId of ['dc_a', 'dc_b', 'dc_stays']) await world.deploy(sourceId, component);
  await begin();
  for (const sourceId of ['dc_a', 'dc_b', 'dc_stays']) await world.post(sourceId, 1);
  await finished(3);
  expect(stateKeys().toSorted()).toEqual(['dc_a', 'dc_b', 'dc_stays']);
  await world.endSource('dc_a');
  await world.endSource('dc_b');
  await until(() => stateKeys().length === 1, 'the states to go');
  expect(stateKeys()).toEqual(['dc_stays']);
  expect(world.db('dc_stays')).toEqual({ n: 1 });
});

test('a start removes the state of sources that were deleted while the runtime was down', async () => {
  for (const sourceId of ['dc_a', 'dc_stays']) await world.deploy(sourceId, component);
  await begin();
  for (const sourceId of ['dc_a', 'dc_stays']) await world.post(sourceId, 1);
  await finished(2);
  life()?.kill();
  await world.endSource('dc_a');
  await begin();
  await until(() => stateKeys().length === 1, 'the state to go');
  expect(stateKeys()).toEqual(['dc_stays']);
});

test('removes nothing and refuses nothing until all definitions have been read', async () => {
  await world.deploy('dc_a', component);
  await begin();
  await world.post('dc_a', 1);
  await finished(1);
  life()?.kill();
  await world.endSource('dc_a');
  await world.post('dc_a', 2);
  const settledEnd = world.log.settledEnd.bind(world.log);
  let failures = 0;
  world.log.settledEnd = async (topic, partition) => {
    if (++failures <= 2) throw new PortError('unavailable', 'not now');
    // Two attempts have failed; the next one came after a while.
    expect([stateKeys(), runs().length]).toEqual([['dc_a'], 1]);
    return settledEnd(topic, partition);
  };
  await begin();
  await finished(2);
  await until(() => stateKeys().length === 0, 'the state to go');
  expect(failures).toBeGreaterThan(2);
});

test('a finished trigger never runs again, even if its source is deleted while an older trigger of another source runs', async () => {
  const hanging = Promise.withResolvers<void>();
  await world.deploy('dc_slow', { run: () => hanging.promise });
  await world.deploy('dc_a', component);
  await begin();
  await world.post('dc_slow', 1);
  await world.post('dc_a', 1);
  await finished(1);
  await world.endSource('dc_a');
  await world.post('dc_a', 2);
  await finished(2);
  // The older trigger holds the mark back: the state says that both are finished.
  expect(stateKeys()).toEqual(['dc_a']);
  life()?.kill();
  hanging.resolve();
  await begin();
  await finished(3);
  await until(() => stateKeys().length === 0, 'the state to go');
  expect(runs().map(({ sourceId, outcome }) => [sourceId, outcome])).toEqual([
    ['dc_a', 'succeeded'],
    ['dc_a', 'refused'],
    ['dc_slow', 'succeeded'],
  ]);
});

test('a request to a deleted source leaves no state', async () => {
  await world.deploy('dc_a', component);
  await begin();
  await world.post('dc_a', 1);
  await finished(1);
  await world.endSource('dc_a');
  await until(() => stateKeys().length === 0, 'the state to go');
  for (let n = 0; n < 5; n++) await world.post('dc_a', n);
  await finished(6);
  await until(() => stateKeys().length === 0, 'the state to go');
  expect(runs().filter(({ outcome }) => outcome === 'refused')).toHaveLength(5);
});

test('states of many deleted sources are removed a few at a time', async () => {
  const ids = Array.from({ length: 600 }, (_, n) => `dc_${n}`);
  for (const sourceId of ids) await world.deploy(sourceId, component);
  await begin();
  for (const sourceId of ids) await world.post(sourceId, 1);
  await finished(600);
  for (const sourceId of ids) await world.endSource(sourceId);
  await until(() => stateKeys().length === 0, 'the states to go');
  const steps = life()?.outputs.map(({ records }) => records.filter(({ record }) => record.data === undefined).length);
  expect(Math.max(...(steps ?? []))).toBeLessThanOrEqual(256);
});
