// A trigger that carries its emits: its events, its run record, its turn, and its effects after a kill.
import { sizes } from '../../../domain/sizes.ts';
import { until } from '../testing/life.fake.ts';
import type { Step } from '../testing/life.fake.ts';
import type { World } from '../testing/world.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';

let world: World;
const { begin, events, runs, finished } = worldForEachTest((made) => (world = made));

const carry = (...ids: readonly number[]): Promise<string> =>
  world.trigger('dc_a', { kind: 'emit', emits: ids.map((id) => ({ event: { id }, channel: 'c', id })) });

test('emits become events without running code, deduped and numbered with those of runs, with the hops of the trigger', async () => {
  let ran = 0;
  await world.deploy('dc_a', {
    dedupe: 'unique',
    run: ({ emit }) => {
      ran++;
      emit({ event: 'run', id: 3 });
    },
  });
  await begin();
  await carry(1, 2, 1);
  await world.post('dc_a', {});
  await world.trigger('dc_a', { kind: 'emit', hops: 4, emits: [3, 4].map((id) => ({ event: 'x', channel: '', id })) });
  await finished(3);
  expect(ran).toBe(1);
  expect(events().map(({ emit, eventId }) => [emit.id, Number(eventId.split('-')[1])])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 3],
  ]);
  expect(events()[3]).toMatchObject({ emitterId: 'dc_a', channel: '', event: 'x', hops: 4, runId: runs()[2]?.runId });
  const [first, , last] = runs();
  expect(first).toMatchObject({ kind: 'emit', outcome: 'succeeded', deduped: 1, durationMs: 0, console: [] });
  expect(first?.emitted).toEqual(
    events()
      .slice(0, 2)
      .map(({ eventId }) => eventId),
  );
  expect(last).toMatchObject({ deduped: 1, emitted: [events()[3]?.eventId] });
  expect(world.log.records('runs').map(({ version }) => version)).toEqual([3, 1, 3]);
});

test('takes its turn after the run that was requested before it and before the one requested after it', async () => {
  const gate = Promise.withResolvers<void>();
  await world.deploy('dc_a', {
    run: async ({ emit }) => {
      await gate.promise;
      emit({ event: 'run' });
    },
  });
  await begin();
  await world.post('dc_a', {});
  await carry(1);
  await world.post('dc_a', {});
  gate.resolve();
  await finished(3);
  expect(events().map(({ event }) => event)).toEqual(['run', { id: 1 }, 'run']);
});

test('an emit on a channel of the service bypasses dedupe and is not listed in the run record', async () => {
  await world.deploy('dc_a', { dedupe: 'unique' });
  await begin();
  await world.trigger('dc_a', { kind: 'emit', emits: [{ event: 'told', channel: '$operator' }] });
  await finished(1);
  expect(events()).toMatchObject([{ channel: '$operator', event: 'told' }]);
  expect(runs()).toMatchObject([{ outcome: 'succeeded', emitted: [], deduped: 0 }]);
});

test('leaves out an emit above the size limit with an error, and refuses a trigger of a deleted source', async () => {
  await world.deploy('dc_a', {});
  await world.deploy('dc_b', {});
  await world.endSource('dc_b');
  await begin();
  const emits = ['x'.repeat(sizes.emitBytes), 'small'].map((event) => ({ event, channel: '' }));
  await world.trigger('dc_a', { kind: 'emit', emits });
  await world.trigger('dc_b', { kind: 'emit', emits });
  await finished(2);
  expect(events().map(({ event }) => event)).toEqual(['small']);
  const of = (id: string) => runs().find(({ sourceId }) => sourceId === id);
  expect(of('dc_a')).toMatchObject({ outcome: 'failed', error: { name: 'EmitTooLargeError' }, emitted: { length: 1 } });
  expect(of('dc_b')).toMatchObject({ outcome: 'refused', kind: 'emit' });
});

test.each<Step>(['ended', 'taken', 'appended'])('emits each event once after kills at the step %s', async (step) => {
  await world.deploy('dc_a', { dedupe: 'greatest' });
  for (const id of [1, 2, 3]) await carry(id);
  for (let lives = 0; runs().length < 3; lives++) {
    expect(lives).toBeLessThan(10);
    const killed = await begin({ killAt: (at, count) => at === step && count === 1 && lives < 5 });
    await until(() => killed.killed || runs().length === 3);
    killed.kill();
  }
  await until(() => world.log.records('channels').length >= 3);
  expect(events().map(({ emit, eventId }) => [emit.id, Number(eventId.split('-')[1])])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
  ]);
});
