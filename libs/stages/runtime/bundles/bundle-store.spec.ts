// The bundle of a component with packages stays on the log while a source uses it, and runs from there.
import { randomBytes } from 'node:crypto';
import { bundlePartsMax } from '../../../domain/component/bundle/messages.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import { recordOf, samples } from '../../../domain/record/samples.fake.ts';
import type { BuildOutcome } from '../../../packages/packages.ts';
import { emptyMap, FakePackages } from '../../../packages/packages.fake.ts';
import { CheckedLog } from '../../loop/reading/checked-log.ts';
import { AlertingReporter } from '../../loop/reading/alerting-reporter.ts';
import { noAlerts } from '../../loop/alerts/alerts.ts';
import { until } from '../testing/life.fake.ts';
import type { Step } from '../testing/life.fake.ts';
import { World } from '../testing/world.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';
import { BundleUses } from './bundle-uses.ts';
import { BundleCache, BundleStore } from './bundle-store.ts';

let world: World;
const { begin, enter, life, runs, finished, events } = worldForEachTest((made) => (world = made));

/** A bundle with packages. Another `map` makes a different bundle of the same component in the fake sandbox. */
const packed = (js: string, map = emptyMap): BuildOutcome => ({
  kind: 'built',
  bundle: { js, map },
  lock: '{}',
  packages: [{ name: 'left', version: '1.0.0' }],
});
const registry = (...built: readonly (readonly [string, BuildOutcome])[]): FakePackages =>
  new FakePackages(new Map(built));

/** Makes every package unavailable. */
const away = (): FakePackages => {
  const error = { name: 'RegistryError', message: 'The registry is away' };
  const outcome = { kind: 'failed', error, again: false } as const;
  return registry(['dc_a', outcome], ['dc_b', outcome], ['dc_shared', outcome]);
};

const emits = { run: ({ emit }: { emit: (one: { event: string }) => void }) => emit({ event: 'ran' }) };
const bundleKeys = (): string[] =>
  world.log.records('bundles').flatMap(({ key, data }) => (data === undefined || data === null ? [] : [key]));
const uses = (): string[] =>
  world.log
    .records('state')
    .flatMap(({ key, data }) => (key.includes('/bundle/') && data !== undefined && data !== null ? [key] : []));
const outcomes = () => world.data<{ sourceId: string; revision: number; bundle?: object; error?: object }>('hooks');

async function described(sourceId: string, revision = 1): Promise<void> {
  await world.trigger(sourceId, { kind: 'describe', revision });
  await until(() => outcomes().some((one) => one.sourceId === sourceId && one.revision === revision), 'the outcome');
}

async function deployed(sourceId: string): Promise<void> {
  await described(sourceId);
  await world.configure(sourceId);
}

test('a bundle that can no longer be built runs from the log, and is read only when it is needed', async () => {
  await world.beginDeploy('dc_a', emits);
  await begin({
    packages: registry(['dc_a', packed('dc_a', `${emptyMap}${randomBytes(900_000).toString('base64')}`)]),
  });
  await deployed('dc_a');
  expect(outcomes()).toMatchObject([{ bundle: { hash: expect.stringMatching(/^[0-9a-f]{64}$/), parts: 3 } }]);
  expect([bundleKeys().length, uses()]).toEqual([3, ['dc_a/bundle/1']]);
  life()?.kill();
  const packages = away();
  const read = world.log.read.bind(world.log);
  const topics: string[] = [];
  world.log.read = async (topic, ...at) => {
    topics.push(topic);
    return read(topic, ...at);
  };
  await begin({ packages });
  expect(topics).not.toContain('bundles');
  for (let n = 0; n < 3; n++) await world.trigger('dc_a');
  await until(() => events().length === 3, 'three events');
  expect([packages.builds, topics.filter((topic) => topic === 'bundles').length > 0]).toEqual([[], true]);
});

test('two sources with the same bundle share it, and it is removed when the second source is deleted', async () => {
  for (const id of ['dc_a', 'dc_b']) await world.beginDeploy(id, emits);
  world.components.set('dc_shared', world.components.get('dc_a') ?? { manifest: undefined as never });
  await begin({ packages: registry(['dc_a', packed('dc_shared')], ['dc_b', packed('dc_shared')]) });
  for (const id of ['dc_a', 'dc_b']) await deployed(id);
  expect([bundleKeys().length, uses()]).toEqual([1, ['dc_a/bundle/1', 'dc_b/bundle/1']]);
  await world.endSource('dc_a');
  await until(() => uses().length === 1, 'the use to end');
  expect(bundleKeys()).toHaveLength(1);
  await world.trigger('dc_b');
  await until(() => events().length === 1, 'an event');
  await world.endSource('dc_b');
  await until(() => bundleKeys().length === 0, 'the bundle to go');
  expect(uses()).toEqual([]);
});

const other = { revision: 2, codeRevision: 2, codeFrom: 0, configuredFrom: null, hooks: [], http: null, timer: null };
const update = { name: null, active: true, swapped: 'not_yet', other, refusal: null };

test('keeps both bundles while a source is updated, and afterwards only the one it runs on', async () => {
  await world.beginDeploy('dc_a', emits);
  const packages = registry(['dc_a', packed('dc_a')]);
  await begin({ packages });
  await deployed('dc_a');
  const [first] = bundleKeys();
  packages.outcomes.set('dc_a', packed('dc_a', '{"version":3,"file":"next"}'));
  const begins = async (revision: number): Promise<void> => {
    const codeFrom = await world.log.end('components', 0);
    await world.append('components', 'SourceUpdating', 'dc_a', { ...updating, revision, code: 'dc_a', codeHash: 'h' });
    const next = { ...other, revision, codeRevision: revision, codeFrom };
    await world.define('dc_a', { status: 'updating', update: { ...update, other: next } });
    await world.trigger('dc_a', { kind: 'describe', revision });
    await until(() => bundleKeys().length === 2, 'both');
    // A definition that changes in the meantime removes no bundle.
    await world.define('dc_a', { createdAt: revision });
  };
  await begins(2);
  await world.define('dc_a', { status: 'deployed', update: undefined });
  await until(() => bundleKeys().length === 1, 'the other to go');
  expect(bundleKeys()).toEqual([first]);
  await begins(3);
  const before = { ...other, revision: 1, codeRevision: 1, configuredFrom: 0 };
  const swapped = { ...update, swapped: 'swapped', other: before };
  await world.define('dc_a', { revision: 3, codeRevision: 3, update: swapped });
  await world.trigger('dc_b', { kind: 'describe' });
  await until(() => runs().length === 4, 'a refused run');
  expect(bundleKeys()).toHaveLength(2);
  await world.define('dc_a', { status: 'deployed', update: undefined });
  await until(() => bundleKeys().length === 1, 'the first to go');
  expect([bundleKeys().includes(first ?? ''), uses()]).toEqual([false, ['dc_a/bundle/3']]);
});

const updating = {
  sourceId: 'dc_a',
  revision: 2,
  name: null,
  active: true,
  configuredProps: null,
  ignoreHookErrors: false,
};

test('an update of props only keeps the bundle and does not resolve packages again', async () => {
  await world.beginDeploy('dc_a', emits);
  const packages = registry(['dc_a', packed('dc_a')]);
  await begin({ packages });
  await deployed('dc_a');
  packages.outcomes.set('dc_a', packed('dc_a', '{"version":3,"file":"newer packages"}'));
  await world.define('dc_a', { status: 'updating', update: { ...update, other: { ...other, codeRevision: 1 } } });
  await described('dc_a', 2);
  const [before, after] = outcomes();
  expect([after?.bundle, bundleKeys().length, packages.builds.length]).toEqual([before?.bundle, 1, 1]);
});

test('the next start removes unused bundles and keeps those in use', async () => {
  for (const id of ['dc_a', 'dc_b']) await world.beginDeploy(id, emits);
  await begin({ packages: registry(['dc_a', packed('dc_a')], ['dc_b', packed('dc_b')]) });
  for (const id of ['dc_a', 'dc_b']) await deployed(id);
  life()?.kill();
  await world.endSource('dc_a', 'SourceDeployRefused');
  await begin({ packages: away() });
  await until(() => uses().length === 1, 'the use to end');
  await world.trigger('dc_b');
  await until(() => events().length === 1, 'an event');
  expect([bundleKeys().length, uses()]).toEqual([1, ['dc_b/bundle/1']]);
});

test.each<Step>(['ended', 'taken', 'appended'])(
  'after a kill at any point where something has just %s, bundles in use are present and unused ones are removed',
  async (step) => {
    for (let place = 1; place <= 5; place++) {
      enter(new World());
      await world.addKey();
      await world.beginDeploy('dc_a', emits);
      const killed = await begin({
        packages: registry(['dc_a', packed('dc_a')]),
        killAt: (at, count) => at === step && count === place,
      });
      await world.trigger('dc_a', { kind: 'describe' });
      await until(() => killed.killed || outcomes().length === 1);
      if (!killed.killed) killed.kill();
      await begin({ packages: registry(['dc_a', packed('dc_a')]) });
      await until(() => outcomes().length === 1, 'the outcome');
      await world.configure('dc_a');
      life()?.kill();
      await begin({ packages: away() });
      await world.trigger('dc_a');
      await until(() => events().length === 1, 'an event');
      await world.endSource('dc_a');
      await until(() => bundleKeys().length === 0, 'the bundle to go');
      expect([bundleKeys(), uses()]).toEqual([[], []]);
      life()?.kill();
    }
  },
);

test('a run fails with ComponentUnreadableError when its bundle on the log was altered', async () => {
  await world.beginDeploy('dc_a', emits);
  await begin({ packages: registry(['dc_a', packed('dc_a')]) });
  await deployed('dc_a');
  life()?.kill();
  const read = world.log.read.bind(world.log);
  world.log.read = async (topic, ...at) => {
    const page = await read(topic, ...at);
    if (topic !== 'bundles') return page;
    const records = page.records.map((one) => ({ ...one, data: { ...(one.data as object), text: 'H4sIAAAA' } }));
    return { ...page, records };
  };
  await begin({ packages: registry(['dc_a', packed('dc_a')]) });
  await world.trigger('dc_a');
  await finished(2);
  expect(runs().at(-1)).toMatchObject({ outcome: 'failed', error: { name: 'ComponentUnreadableError' } });
});

test('waits for a bundle whose parts become visible after the record that names it', async () => {
  await world.beginDeploy('dc_a', emits);
  await begin({ packages: registry(['dc_a', packed('dc_a')]) });
  await deployed('dc_a');
  life()?.kill();
  let isShown = false;
  const { read, settledEnd } = world.log;
  world.log.read = async (topic, partition, from, bounds) =>
    topic === 'bundles' && !isShown
      ? { topic, partition, records: [], next: from }
      : read.call(world.log, topic, partition, from, bounds);
  world.log.settledEnd = (topic, partition) => {
    isShown ||= topic === 'bundles';
    return settledEnd.call(world.log, topic, partition);
  };
  await begin({ packages: away() });
  await world.trigger('dc_a');
  await until(() => events().length === 1, 'an event');
  expect(isShown).toBe(true);
});

test('ignores a record that names more parts than a bundle can have', async () => {
  const parts = bundlePartsMax + 1;
  const use = { ...samples.state.BundleUsed, sourceId: 'dc_a', parts };
  const all = new BundleUses(0);
  const record = recordOf('BundleUsed', use, { key: 'dc_a/bundle/1' }) as MessageOn<'state'>;
  expect(all.accept(record)).toBe(true);
  all.scheduleCheck('dc_a');
  expect([all.hasAny, all.takeTombstones(0, { partition: 1, definition: () => undefined })]).toEqual([false, []]);
  const bundles = new BundleStore(
    new CheckedLog(world.log, new AlertingReporter(noAlerts, { warn: () => {} })),
    1,
    new BundleCache(1_000),
  );
  expect(await bundles.load({ hash: use.hash, parts: Number.MAX_SAFE_INTEGER, from: 0 })).toBeUndefined();
});

test('refuses a bundle that is too large for the log', async () => {
  await world.beginDeploy('dc_a', emits);
  const map = randomBytes(5_000_000).toString('base64');
  await begin({ packages: registry(['dc_a', packed('dc_a', map)]) });
  await described('dc_a');
  expect(outcomes()).toMatchObject([{ error: { name: 'BundleTooLargeError' } }]);
  expect([bundleKeys(), uses()]).toEqual([[], []]);
});

test('a component without packages is built from its code, and no bundle is stored on the log', async () => {
  await world.beginDeploy('dc_a', emits);
  const packages = registry();
  await begin({ packages });
  await deployed('dc_a');
  await world.trigger('dc_a');
  await until(() => events().length === 1, 'an event');
  expect([bundleKeys(), uses(), packages.builds.length]).toEqual([[], [], 2]);
});
