// Publish requests join the next append whatever runs, count once even after kills, and are answered once logged.
import type { EmittedEvent, StateEvent } from '../../../domain/channel/messages.ts';
import type { Json } from '../../../domain/json.ts';
import { sizes } from '../../../domain/sizes.ts';
import type { Reply } from '../../../log/log.ts';
import { until } from '../testing/life.fake.ts';
import type { Step } from '../testing/life.fake.ts';
import type { World } from '../testing/world.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';

type Answer = Extract<Reply, { type: 'EventsPublished' | 'PublishRefused' }>;

let world: World;
let answers: Answer[];
const { begin, life, events } = worldForEachTest((made) => {
  world = made;
  answers = [];
  made.log.onReply('gw_1', (reply) => {
    if (reply.type === 'EventsPublished' || reply.type === 'PublishRefused') answers.push(reply);
  });
});

const answered = (count: number): Promise<void> => until(() => answers.length >= count, `${count} answers`);
const published = (): readonly Json[] => events().map(({ event }) => event);
/** A source that runs no code. */
const channel = (sourceId: string): Promise<void> => world.deploy(sourceId, {});
const stateOf = (sourceId: string): StateEvent['data'] =>
  world.log.records('state').findLast(({ key }) => key === sourceId)?.data as StateEvent['data'];

test('answers a publish request once its events are on the log, in one append and without a run', async () => {
  await channel('dc_a');
  await begin();
  const requestId = await world.publish('dc_a', [
    { event: 1, id: 'a' },
    { event: 2, channel: 'x' },
    { event: 3, id: 'a' },
  ]);
  await answered(1);
  const [first, second] = events().map(({ eventId }) => eventId);
  expect(answers).toEqual([
    { type: 'EventsPublished', correlationId: requestId, ids: [first, second, first], duplicates: [2] },
  ]);
  expect(published()).toEqual([1, 2]);
  expect(life()?.outputs.filter(({ records }) => records.some(({ topic }) => topic === 'channels'))).toHaveLength(1);
  expect(world.log.records('runs')).toEqual([]);
  expect(stateOf('dc_a').finishedBelow.publishes).toBeGreaterThan(0);
});

test('publishing waits neither for a hanging run nor for the thousand after it', async () => {
  const hanging = Promise.withResolvers<void>();
  await world.deploy('dc_a', { run: () => hanging.promise });
  await channel('dc_b');
  await begin();
  for (let n = 0; n < 1_000; n++) await world.trigger('dc_a');
  for (const source of ['dc_a', 'dc_b']) await world.publish(source, [{ event: source }]);
  await answered(2);
  expect(published()).toEqual(['dc_a', 'dc_b']);
  hanging.resolve();
});

const steps: readonly Step[] = ['ended', 'taken', 'appended'];
test.each(steps)(
  'after kills when something was just %s, every request is published once, in order, with its ids',
  async (at) => {
    const gate = Promise.withResolvers<void>();
    await world.deploy('dc_slow', { run: () => gate.promise });
    await channel('dc_a');
    // The mark stays at the hanging trigger, so all requests are read again after each kill.
    await world.trigger('dc_slow');
    for (let n = 0; n < 40; n++)
      await world.publish('dc_a', [
        { event: n, id: n },
        { event: 'same', id: 'same' },
      ]);
    for (let kill = 1; kill <= 4; kill++) {
      const killed = await begin({ killAt: (step, count) => step === at && count >= kill, appendBytes: 12_000 });
      await until(() => killed.killed || published().length === 41, 'the kill');
      await killed.stop(0);
    }
    await begin({ appendBytes: 12_000 });
    await until(() => published().length === 41, 'all of them');
    expect(published()).toEqual([0, 'same', ...Array.from({ length: 39 }, (_, n) => n + 1)]);
    await life()?.stop(0);
    answers = [];
    await begin();
    await world.publish('dc_a', [{ id: 39 }, { event: 'new' }]);
    await answered(1);
    const ids = events().map(({ eventId }) => eventId);
    expect(answers).toMatchObject([{ ids: [ids[40], ids[41]], duplicates: [0] }]);
    gate.resolve();
  },
);

test('a request that was logged but not answered is a duplicate when it is sent again with its key', async () => {
  await channel('dc_a');
  const killed = await begin({ killAt: (step) => step === 'appended' });
  await world.publish('dc_a', [{ event: 1 }, { event: 2 }], { requestKey: 'req_k' });
  await until(() => killed.killed, 'the kill');
  await killed.stop(0);
  await begin();
  await world.publish('dc_a', [{ event: 1 }, { event: 2 }], { requestKey: 'req_k' });
  await answered(1);
  expect(published()).toEqual([1, 2]);
  expect(answers).toMatchObject([{ ids: events().map(({ eventId }) => eventId), duplicates: [0, 1] }]);
});

test('refuses to publish for a deleted source and removes all its recent ids', async () => {
  await channel('dc_a');
  await begin();
  await world.publish(
    'dc_a',
    Array.from({ length: 300 }, (_, n) => ({ event: n, id: n })),
  );
  await answered(1);
  const keys = (): readonly string[] => world.log.records('state').flatMap(({ key, data }) => (data ? key : []));
  expect(keys()).toEqual(expect.arrayContaining(['dc_a', 'dc_a/ids/0', 'dc_a/ids/1', 'dc_a/ids/2']));
  await world.endSource('dc_a');
  await world.undefine('dc_a');
  const late = await world.publish('dc_a', [{ event: 'late' }]);
  await answered(2);
  expect(answers[1]).toEqual({ type: 'PublishRefused', correlationId: late });
  const newest = (): ReadonlyMap<string, unknown> =>
    new Map(world.log.records('state').map(({ key, data }) => [key, data]));
  await until(() => [...newest().values()].every((data) => !data), 'its tombstones');
  expect(published()).toHaveLength(300);
});

test('publishes a thousand requests of ten events in few appends, and does not keep another workspace until last', async () => {
  for (const source of ['dc_a', 'dc_b']) await channel(source);
  const [count, each] = [1_000, 10];
  const batchAt = (n: number) => Array.from({ length: each }, (_, i) => ({ event: n * each + i, id: n * each + i }));
  for (let n = 0; n < count; n++) await world.publish('dc_a', batchAt(n));
  await world.publish('dc_b', [{ event: 'other' }], { of: 'o_2' });
  const gate = Promise.withResolvers<void>();
  const one = await begin({ disk: gate.promise });
  gate.resolve();
  await answered(count + 1);
  expect(one.outputs.length).toBeLessThan(count / 5);
  expect(published().indexOf('other')).toBeLessThan(count * each);
  expect(published().filter((event) => event !== 'other')).toEqual(Array.from({ length: count * each }, (_, n) => n));
});

test('reads back ids that are no longer in memory, in the order of the requests, even after a restart', async () => {
  const sources = ['dc_a', 'dc_b', 'dc_c'];
  for (const source of sources) await channel(source);
  const limits = { recentIdsBytesMax: 1 };
  await begin({ limits });
  let reads = 0;
  const publishAll = async (from: number): Promise<void> => {
    for (const source of sources) {
      const batchOf = Array.from({ length: 300 }, (_, n) => ({ event: `${source} ${from + n}`, id: from + n }));
      for (let n = 0; n < 300; n += 100) await world.publish(source, batchOf.slice(n, n + 100));
      await world.publish(source, [{ event: `${source} behind ${from}` }]);
      reads += 4;
    }
    await answered(reads);
  };
  await publishAll(0);
  const first = published();
  // The ids of each source leave the memory when the next source is used.
  await publishAll(150);
  expect(published()).toHaveLength(3 * (301 + 151));
  await life()?.stop(0);
  await begin({ limits });
  await publishAll(150);
  expect(published()).toHaveLength(3 * (301 + 151 + 1));
  for (const source of sources) {
    const own = published().filter((event) => String(event).startsWith(source));
    const numbers = Array.from({ length: 450 }, (_, n) => `${source} ${n}`);
    expect(own).toEqual([
      ...numbers.slice(0, 300),
      `${source} behind 0`,
      ...numbers.slice(300),
      `${source} behind 150`,
      `${source} behind 150`,
    ]);
  }
  expect(first).toHaveLength(3 * 301);
});

test('stores no ids for a channel whose events have none', async () => {
  await channel('dc_a');
  await begin();
  for (let n = 0; n < 20; n++) await world.publish('dc_a', [{ event: n }]);
  await answered(20);
  expect(world.log.records('state').filter(({ key }) => key.includes('/ids/'))).toEqual([]);
});

test('reading pauses when too many bytes wait to be published, and resumes once they are', async () => {
  await channel('dc_a');
  const text = 'x'.repeat(100_000);
  for (let n = 0; n < 60; n++) await world.publish('dc_a', [{ event: text }]);
  const all: Reply[] = [];
  world.log.onReply('gw_2', (reply) => all.push(reply));
  const gate = Promise.withResolvers<void>();
  const paused = await begin({ disk: gate.promise, limits: { publishBytesMax: 1_000_000 } });
  await until(() => paused.paused.includes('pause triggers'), 'the pause');
  gate.resolve();
  await until(() => published().length === 60, 'all of them');
  expect(paused.paused).toContain('resume triggers');
  expect(all.filter(({ type }) => type === 'SourceFull').length).toBeLessThanOrEqual(60);
});

test('constant publishing does not keep a run with the largest output off the log', async () => {
  const text = 'x'.repeat(500_000);
  await world.deploy('dc_a', {
    run: ({ emit }) => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].forEach(() => emit({ event: text })),
  });
  await channel('dc_b');
  await begin({ appendBytes: sizes.appendBytes - 65_536 });
  await world.trigger('dc_a');
  const publishing = { on: true };
  const always = (async () => {
    for (let n = 0; publishing.on; n++) {
      await world.publish('dc_b', [{ event: text }]);
      await until(() => answers.length > n - 8, 'an answer');
    }
  })();
  const runs = (): number => world.log.records('runs').length;
  await until(() => runs() === 1, 'the run');
  publishing.on = false;
  await always;
  const own = (events() as readonly EmittedEvent['data'][]).filter(({ emitterId }) => emitterId === 'dc_a');
  expect(own).toHaveLength(11);
});
