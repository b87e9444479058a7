// Deleting events is recorded once, without waiting for anything, and affects only the events before it.
import type { ChannelEvent, DeletedEvents, EmittedEvent, StateEvent } from '../../../domain/channel/messages.ts';
import { StoreGateway, store } from '../testing/store-gateway.fake.ts';
import { until } from '../testing/life.fake.ts';
import type { World } from '../testing/world.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';

let world: World;
const { begin, life } = worldForEachTest((made) => (world = made));

const records = (): readonly ChannelEvent[] => world.log.records('channels') as readonly ChannelEvent[];
const facts = (): readonly DeletedEvents[] =>
  records().flatMap((one) => (one.type === 'EventsDeleted' ? one.data : []));
const ids = (): readonly string[] =>
  records().flatMap((one: ChannelEvent | EmittedEvent) => (one.type === 'EventEmitted' ? one.data.eventId : []));
const emitting = { run: ({ emit }: { emit: (one: { event: number }) => void }) => emit({ event: 1 }) };

async function emitted(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await world.trigger('dc_a');
  await until(() => ids().length === count, `${count} events`);
}

test('a delete without an end, or with one in the future, ends at the newest event, and a given range is kept', async () => {
  await world.deploy('dc_a', emitting);
  await begin();
  await emitted(3);
  const [first = '', , last = ''] = ids();
  await world.deleteEvents('dc_a');
  await world.deleteEvents('dc_a', { channel: 'x', startId: first, endId: '999999999999999-7' });
  await world.deleteEvents('dc_a', { endId: first });
  await until(() => facts().length === 3, 'three facts');
  const emitterId = 'dc_a';
  expect(facts()).toEqual([
    { emitterId, channel: null, startId: null, endId: last },
    { emitterId, channel: 'x', startId: first, endId: last },
    { emitterId, channel: null, startId: null, endId: first },
  ]);
  expect(world.log.records('runs')).toHaveLength(3);
});

test('a delete waits neither for a hanging run of its source nor for those after it', async () => {
  const hanging = Promise.withResolvers<void>();
  let runs = 0;
  await world.deploy('dc_a', {
    run: async ({ emit }) => {
      if (++runs > 1) await hanging.promise;
      emit({ event: runs });
    },
  });
  await begin();
  await emitted(1);
  for (let n = 0; n < 1_000; n++) await world.trigger('dc_a');
  await world.deleteEvents('dc_a');
  await until(() => facts().length === 1, 'the fact');
  expect([facts()[0]?.endId, ids().length]).toEqual([ids()[0], 1]);
  hanging.resolve();
  await until(() => ids().length === 1_001, 'the events behind it');
});

test.each(['taken', 'appended'] as const)(
  'a delete that was just %s at a kill, after an unfinished trigger, is recorded once and affects no later event',
  async (at) => {
    const gate = Promise.withResolvers<void>();
    await world.deploy('dc_slow', { run: () => gate.promise });
    await world.deploy('dc_a', emitting);
    await begin();
    await emitted(1);
    await life()?.stop(0);
    await world.trigger('dc_slow');
    await world.deleteEvents('dc_a');
    const killed = await begin({ killAt: (step) => step === at });
    await until(() => killed.killed, 'the kill');
    await killed.stop(0);
    await begin();
    await until(() => facts().length === 1, 'the fact');
    await world.trigger('dc_a');
    await until(() => ids().length === 2, 'a later event');
    await life()?.stop(0);
    await begin();
    gate.resolve();
    await until(() => world.log.records('runs').length === 3, 'the slow run');
    expect(facts().map(({ endId }) => endId)).toEqual([ids()[0]]);
    const state = world.log.records('state').findLast(({ key }) => key === 'dc_a') as unknown as StateEvent;
    expect(state.data.finishedBelow.deletions).toBeGreaterThan(0);
  },
);

test('a delete records nothing for a source that never emitted, and has no end for a deleted source', async () => {
  await world.deploy('dc_new', emitting);
  await begin();
  await world.deleteEvents('dc_new');
  await world.deleteEvents('dc_gone', { startId: '5-0' });
  await until(() => facts().length === 1, 'the fact');
  expect(facts()).toEqual([{ emitterId: 'dc_gone', channel: null, startId: '5-0', endId: null }]);
  expect(world.log.records('state')).toEqual([]);
});

test('records ten thousand deletes in a row in few appends', async () => {
  await world.deploy('dc_a', emitting);
  await begin();
  await emitted(1);
  const [only = ''] = ids();
  for (let n = 0; n < 10_000; n++) await world.deleteEvents('dc_a', { startId: only });
  await until(() => facts().length === 10_000, 'all of them');
  expect(world.log.records('state').length).toBeLessThan(1_000);
});

test('a delete before the first event of a source affects no later event, even after a kill with an unfinished trigger', async () => {
  const gate = Promise.withResolvers<void>();
  await world.deploy('dc_slow', { run: () => gate.promise });
  await world.deploy('dc_a', emitting);
  await begin();
  await world.trigger('dc_slow');
  await world.deleteEvents('dc_a');
  await emitted(1);
  life()?.kill();
  await begin();
  gate.resolve();
  await until(() => world.log.records('runs').length === 2, 'the slow run');
  expect(facts()).toEqual([]);
});

test.each([
  ['beside', 1],
  ['before', 60],
])('waiting events are cancelled %s requests to data stores that never pause', async (_how, waiting) => {
  const gateway = new StoreGateway(world);
  await world.deploy('dc_a', {
    run: ({ emit }) => {
      for (let n = 0; n < waiting; n++) emit({ event: n, deliveryTs: 3_600_000 });
    },
  });
  await begin({ appendBytes: 40_000 });
  await gateway.create();
  await world.trigger('dc_a');
  await until(() => world.data('pending').length === waiting, 'what waits');
  const release = world.log.holdAppends();
  for (let n = 0; n < 200; n++) await world.askStore({ op: 'set', store, key: `${n}`, value: n });
  await world.deleteEvents('dc_a', { channel: '$in' });
  const ids: string[] = [];
  for (let n = 200; n < 400; n++) ids.push(await world.askStore({ op: 'set', store, key: `${n}`, value: n }));
  const from = life()?.outputs.length ?? 0;
  release();
  await until(() => ids.every((id) => gateway.answers.has(id)), 'all answers');
  const outputs = life()?.outputs.slice(from) ?? [];
  const cancelledIn = outputs.findIndex(({ records }) => records.some(({ topic }) => topic === 'pending'));
  expect(outputs.length).toBeGreaterThan(6);
  expect([1, 2]).toContain(cancelledIn);
});
