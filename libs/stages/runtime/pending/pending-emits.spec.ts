// Emits for later: they wait on `pending`, become events once when they are due, and end with their source.
import { until } from '../testing/life.fake.ts';
import type { Step } from '../testing/life.fake.ts';
import type { World } from '../testing/world.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';

let world: World;
const quick = { pendingCheckMs: 2 };
const { begin, events, runs, finished, life } = worldForEachTest((made) => (world = made), { limits: quick });
const hourMs = 3_600_000;

/** The keys of the emits that wait on `pending`. */
const pendingIds = (): readonly string[] =>
  world.log.records('pending').flatMap(({ key, data }) => (data === undefined || data === null ? [] : [key]));

/** Deploys a source that emits one event for now and `count` for later. */
const deploy = (sourceId: string, count: number, dueAt: (n: number) => number): Promise<void> =>
  world.deploy(sourceId, {
    dedupe: 'unique',
    run: ({ emit }) => {
      emit({ event: 'now', id: 'now' });
      for (let n = 0; n < count; n++)
        emit({ event: { n }, id: 'same', channel: 'later', summary: 's', deliveryTs: dueAt(n) });
    },
  });

test('an emit for later waits on pending with all its fields, bypasses dedupe, and becomes an event when it is due', async () => {
  await deploy('dc_a', 2, (n) => hourMs * (2 - n));
  await begin();
  await world.trigger('dc_a', { hops: 3 });
  await finished(1);
  expect(events().map(({ event }) => event)).toEqual(['now']);
  expect(runs()[0]).toMatchObject({ emitted: [events()[0]?.eventId], deduped: 0, console: [] });
  expect(world.data('pending')).toMatchObject([
    { sourceId: 'dc_a', number: 0, channel: 'later', dueAt: 2 * hourMs, event: { n: 0 }, emit: { id: 'same' } },
    { sourceId: 'dc_a', number: 1, dueAt: hourMs },
  ]);
  world.advanceClock(hourMs);
  await until(() => events().length === 2);
  expect(pendingIds()).toEqual(['dc_a/0']);
  world.advanceClock(hourMs);
  await until(() => events().length === 3);
  expect(pendingIds()).toEqual([]);
  const emit = { id: 'same', summary: 's' };
  expect(events().slice(1)).toMatchObject([
    { event: { n: 1 }, channel: 'later', emit, hops: 3, runId: runs()[0]?.runId },
    { event: { n: 0 }, channel: 'later', emit, hops: 3 },
  ]);
  expect(events().map(({ eventId }) => Number(eventId.split('-')[1]))).toEqual([0, 1, 2]);
});

test('an emit whose time has already passed is due at once', async () => {
  await deploy('dc_a', 1, () => 1);
  await begin();
  await world.trigger('dc_a');
  await until(() => events().length === 2);
  expect(pendingIds()).toEqual([]);
});

test('an emit for later survives a kill, even if the clock is set back, and is emitted when it is due', async () => {
  await deploy('dc_a', 1, () => hourMs);
  const first = await begin();
  await world.trigger('dc_a');
  await finished(1);
  await until(() => first.outputs.length === 1);
  first.kill();
  world.advanceClock(-500);
  await begin();
  world.advanceClock(hourMs / 2);
  await world.trigger('dc_a');
  await finished(2);
  expect(pendingIds()).toEqual(['dc_a/0', 'dc_a/1']);
  expect(events()).toHaveLength(1);
  world.advanceClock(hourMs / 2 + 500);
  await until(() => events().length === 3);
  expect(pendingIds()).toEqual([]);
});

test.each<Step>(['taken', 'appended'])(
  'each emit for later becomes exactly one event after kills at the step %s',
  async (step) => {
    await deploy('dc_a', 200, (n) => n);
    await world.trigger('dc_a');
    for (let lives = 0; events().length < 201; lives++) {
      expect(lives).toBeLessThan(40);
      const killed = await begin({ killAt: (at, count) => at === step && count === 2 && lives < 30 });
      await until(() => killed.killed || events().length >= 201);
      killed.kill();
    }
    expect(pendingIds()).toEqual([]);
    const later = events().filter(({ channel }) => channel === 'later');
    expect(later.map(({ event }) => event)).toEqual(Array.from({ length: 200 }, (_, n) => ({ n })));
    expect(events().map(({ eventId }) => Number(eventId.split('-')[1]))).toEqual(events().map((_, index) => index));
  },
);

test('waiting emits are removed with their source', async () => {
  await deploy('dc_a', 600, () => hourMs);
  await deploy('dc_b', 1, () => hourMs);
  await begin();
  for (const id of ['dc_a', 'dc_b']) await world.trigger(id);
  await finished(2);
  expect(pendingIds()).toHaveLength(601);
  await world.undefine('dc_a');
  await until(() => pendingIds().length === 1, 'what waited to be taken away');
  world.advanceClock(2 * hourMs);
  await until(() => pendingIds().length === 0);
  expect(
    events()
      .filter(({ channel }) => channel === 'later')
      .map(({ emitterId }) => emitterId),
  ).toEqual(['dc_b']);
});

test('a start removes waiting emits of a source deleted while the runtime was down, without emitting them', async () => {
  await deploy('dc_a', 3, () => hourMs);
  const first = await begin();
  await world.trigger('dc_a');
  await finished(1);
  await until(() => first.outputs.length === 1);
  first.kill();
  world.advanceClock(2 * hourMs);
  await world.undefine('dc_a');
  await begin();
  await until(() => pendingIds().length === 0);
  expect(events()).toHaveLength(1);
});

test('drops waiting emits beyond the limit per source and says so in the run record', async () => {
  await deploy('dc_a', 4, () => hourMs);
  await begin({ limits: { pendingOfSourceMax: 6 } });
  for (let n = 0; n < 2; n++) await world.trigger('dc_a');
  await finished(2);
  expect(pendingIds()).toHaveLength(6);
  expect(runs().map(({ console }) => console.map(({ text }) => text))).toEqual([
    [],
    [expect.stringMatching(/^2 emits were dropped: .* 6 of this source wait already/)],
  ]);
});

test('two thousand emits due at once are emitted in steps, and a run in between does not wait for all of them', async () => {
  await deploy('dc_a', 2_000, () => hourMs);
  await world.deploy('dc_b', { run: ({ emit }) => emit({ event: 'b' }) });
  const { outputs } = await begin();
  await world.trigger('dc_a');
  await finished(1);
  world.advanceClock(hourMs);
  await until(() => events().length > 100);
  const before = outputs.length;
  await world.trigger('dc_b');
  await finished(2);
  expect(outputs.length - before).toBeLessThan(20);
  await until(() => events().length === 2_002, 'all of them');
  expect(Math.max(...outputs.slice(1).map(({ records }) => records.length))).toBeLessThan(200);
});

test('waiting emits deleted on $in, all or by a range of ids, are never emitted, even after a kill; later ones are', async () => {
  await deploy('dc_a', 4, () => hourMs);
  await begin();
  await world.trigger('dc_a');
  await until(() => pendingIds().length === 4);
  const ids = world.data<{ readonly pendingId: string }>('pending').map(({ pendingId }) => pendingId);
  await world.deleteEvents('dc_a', { channel: '$in', startId: ids[1] ?? null, endId: ids[2] ?? null });
  await until(() => pendingIds().length === 2);
  expect(pendingIds()).toEqual(['dc_a/0', 'dc_a/3']);
  expect(world.data('channels')).toHaveLength(1);
  await world.deleteEvents('dc_a', { channel: '$in' });
  await until(() => pendingIds().length === 0);
  await world.trigger('dc_a');
  await until(() => pendingIds().length === 4);
  life()?.kill();
  await begin();
  world.advanceClock(hourMs);
  await until(() => events().length === 1 + 4);
  expect(runs()).toHaveLength(2);
});

test.each<Step>(['taken', 'appended'])(
  'a kill when a delete on $in was just %s leaves no waiting emits',
  async (step) => {
    await deploy('dc_a', 3, () => hourMs);
    await begin();
    await world.trigger('dc_a');
    await until(() => pendingIds().length === 3);
    await life()?.stop(0);
    await begin({ killAt: (at, count) => at === step && count === 1 });
    await world.deleteEvents('dc_a', { channel: '$in' });
    await until(() => life()?.killed === true);
    await begin();
    await until(() => pendingIds().length === 0);
    world.advanceClock(hourMs);
    await world.trigger('dc_a');
    await finished(2);
    expect(events().map(({ event }) => event)).toEqual(['now']);
  },
);
