// Synchronous calls do not wait for runs, start at most once, and leave exactly one record however they end.
import type { EmittedEvent, RunEvent, StateEvent } from '../../../domain/channel/messages.ts';
import { callExpiredName, callLostName, callRefusedName, callRunTimeoutMs } from '../../../domain/call/call.ts';
import { FakeEnd, FakeSandbox } from '../../../sandbox/sandbox.fake.ts';
import type { Invocation, InvocationOutcome } from '../../../sandbox/sandbox.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import type { Attempt } from '../outcome/trigger-result.ts';
import { Life, until } from '../testing/life.fake.ts';
import type { LifeOptions, Step } from '../testing/life.fake.ts';
import { World } from '../testing/world.fake.ts';
import { CallGate } from './call-gate.ts';

let world: World;
const lives: Life[] = [];
beforeEach(async () => {
  world = new World();
  await world.addKey();
});
afterEach(async () => {
  for (const life of lives.splice(0)) await life.stop(0).catch(() => {});
});

async function begin(options?: LifeOptions): Promise<Life> {
  const life = await Life.begin(world, options);
  lives.push(life);
  return life;
}

const runs = (): readonly RunEvent['data'][] => world.data<RunEvent['data']>('runs');
const events = (): readonly EmittedEvent['data'][] => world.data<EmittedEvent['data']>('channels');
const untilRuns = (count: number): Promise<void> => until(() => runs().length === count, `${count} runs`);

test('a sample is marked as one, does not wait for runs of its source, and bypasses the dedupe strategy', async () => {
  const hanging = Promise.withResolvers<void>();
  await world.deploy('dc_a', {
    dedupe: 'unique',
    sample: ({ emit }) => emit({ event: 'sample', id: 1, deliveryTs: 9e12 }),
    run: async ({ emit }) => {
      await hanging.promise;
      emit({ event: 'real', id: 1 });
    },
  });
  const life = await begin();
  await world.trigger('dc_a');
  for (const replyTo of ['gw_1', 'gw_1']) await world.trigger('dc_a', { kind: 'sample', replyTo });
  await untilRuns(2);
  hanging.resolve();
  await untilRuns(3);
  expect(events().map(({ event, sample }) => [event, sample])).toEqual([
    ['sample', true],
    ['sample', true],
    ['real', undefined],
  ]);
  expect(runs().map(({ kind, outcome, emitted }) => [kind, outcome, emitted.length])).toEqual([
    ['sample', 'succeeded', 1],
    ['sample', 'succeeded', 1],
    ['manual', 'succeeded', 1],
  ]);
  expect(world.log.records('runs').map(({ version }) => version)).toEqual([4, 4, 1]);
  const [state] = world.data<StateEvent['data']>('state').slice(-1);
  expect(state?.dedupe).toEqual({ strategy: 'unique', ids: ['1'] });
  expect(life.failure).toBeUndefined();
});

test('the waiting gateway gets a reply once the end of the call is on the log', async () => {
  const disk = Promise.withResolvers<void>();
  const replies: unknown[] = [];
  world.log.onReply('gw_1', (reply) => replies.push(reply));
  await world.deploy('dc_a', {
    sample: () => {
      throw new TypeError('none today');
    },
  });
  await begin({ disk: disk.promise });
  await world.trigger('dc_a', { kind: 'sample', replyTo: 'gw_1' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([runs(), replies]).toEqual([[], []]);
  disk.resolve();
  await until(() => replies.length === 1);
  expect(replies).toMatchObject([{ type: 'RunEnded', failed: true }]);
  expect(runs()).toMatchObject([{ kind: 'sample', outcome: 'failed', error: { name: 'TypeError' } }]);
});

test('calls of one source run one after another, and those of different sources in parallel', async () => {
  const hanging = Promise.withResolvers<void>();
  const started: string[] = [];
  for (const id of ['dc_a', 'dc_b'])
    await world.deploy(id, {
      sample: async () => {
        started.push(id);
        if (id === 'dc_a') await hanging.promise;
      },
    });
  await begin();
  for (const id of ['dc_a', 'dc_a', 'dc_b']) await world.trigger(id, { kind: 'sample' });
  await untilRuns(1);
  expect(started).toEqual(['dc_a', 'dc_b']);
  hanging.resolve();
  await untilRuns(3);
  expect(started).toEqual(['dc_a', 'dc_b', 'dc_a']);
});

/** Counts how often each call has reached its component, by its run's id. */
class CountingSandbox extends FakeSandbox {
  readonly #counts: Map<string, number>;

  constructor(counts: Map<string, number>) {
    super(world.components, world.ambient.now);
    this.#counts = counts;
  }

  override invoke(invocation: Invocation): Promise<InvocationOutcome> {
    const id = invocation.telling?.runId ?? '';
    if (invocation.what === 'sample') this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    return super.invoke(invocation);
  }
}

test.each<Step>(['ended', 'taken', 'appended'])(
  'after a kill at any point where something has just %s, each call started at most once and left one record',
  async (step) => {
    for (let killPoint = 1; killPoint <= 8; killPoint++) {
      world = new World();
      await world.addKey();
      const starts = new Map<string, number>();
      await world.deploy('dc_a', {
        sample: async ({ emit }) => {
          await new Promise(setImmediate);
          emit({ event: 'sample' });
        },
        run: ({ emit }) => emit({ event: 'run' }),
      });
      const first = await begin({
        killAt: (at, count) => at === step && count === killPoint,
        sandbox: new CountingSandbox(starts),
      });
      for (const kind of ['sample', 'manual', 'sample'] as const) await world.trigger('dc_a', { kind });
      await until(() => first.killed || runs().length === 3);
      const second = await begin({ sandbox: new CountingSandbox(starts) });
      await untilRuns(3);
      await world.trigger('dc_a', { kind: 'sample' });
      await untilRuns(4);
      expect(second.failure).toBeUndefined();
      const records = world.log.records('runs') as readonly RunEvent[];
      expect(new Set(records.map(({ id }) => id)).size).toBe(4);
      const calls = runs().filter(({ kind }) => kind === 'sample');
      const lost = calls.filter(({ outcome }) => outcome === 'failed');
      expect(lost.every(({ error }) => error?.name === callLostName)).toBe(true);
      for (const { runId, outcome } of calls)
        expect(outcome === 'failed' ? [0, 1] : [1]).toContain(starts.get(runId) ?? 0);
      expect(events().filter(({ sample }) => sample)).toHaveLength(calls.length - lost.length);
    }
  },
);

test('after a kill, a call that ended after an unfinished run is not repeated', async () => {
  const hanging = Promise.withResolvers<void>();
  await world.deploy('dc_slow', { run: () => hanging.promise });
  await world.deploy('dc_a', { sample: ({ emit }) => emit({ event: 'sample' }), run: () => {} });
  const first = await begin();
  await world.trigger('dc_slow');
  await world.trigger('dc_a', { kind: 'sample' });
  await untilRuns(1);
  first.kill();
  hanging.resolve();
  await world.trigger('dc_a');
  await begin();
  await untilRuns(3);
  expect(runs().map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['sample', 'succeeded'],
    ...[1, 2].map(() => ['manual', 'succeeded']),
  ]);
});

test('an owner that was replaced by another starts no calls', async () => {
  let started = 0;
  await world.deploy('dc_a', { sample: () => void started++ });
  const stalled = await begin();
  const owner = await begin();
  await world.trigger('dc_a', { kind: 'sample' });
  await until(() => stalled.failure !== undefined && runs().length === 1);
  expect([started, runs()[0]?.outcome, owner.failure]).toEqual([1, 'succeeded', undefined]);
});

test('a call requested before the partition was taken over does not start, and its caller gets an answer', async () => {
  let started = 0;
  const replies: unknown[] = [];
  world.log.onReply('gw_1', (reply) => replies.push(reply));
  await world.deploy('dc_a', { sample: () => void started++ });
  await world.trigger('dc_a', { kind: 'sample', replyTo: 'gw_1' });
  await begin();
  await until(() => replies.length === 1);
  expect([started, replies]).toMatchObject([0, [{ type: 'RunEnded', failed: true }]]);
  expect(runs()).toMatchObject([{ outcome: 'failed', error: { name: callLostName } }]);
});

test('a call that arrives while the new owner restores is started by it', async () => {
  let started = 0;
  await world.deploy('dc_a', { sample: () => void started++ });
  const read = world.log.read.bind(world.log);
  let reads = 0;
  world.log.read = async (topic, ...rest) => {
    const page = await read(topic, ...rest);
    if (topic === 'sources' && reads++ === 0) await world.trigger('dc_a', { kind: 'sample' });
    return page;
  };
  await begin();
  await untilRuns(1);
  expect([started, runs()]).toMatchObject([1, [{ outcome: 'succeeded' }]]);
});

test('a call that waits for an append when its task stops is refused without starting', async () => {
  const disk = Promise.withResolvers<void>();
  let started = 0;
  let ran = 0;
  await world.deploy('dc_a', { sample: () => void started++, run: () => void ran++ });
  const life = await begin({ disk: disk.promise });
  await world.trigger('dc_a');
  await until(() => ran === 1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await world.trigger('dc_a', { kind: 'sample' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const stopped = life.stop(2_000);
  disk.resolve();
  await stopped;
  const [, call] = runs();
  expect([started, call]).toMatchObject([0, { kind: 'sample', outcome: 'refused', error: { name: callRefusedName } }]);
});

test('calls beyond the limit of waiting ones per source are refused in their turn and never start', async () => {
  const hanging = Promise.withResolvers<void>();
  let started = 0;
  await world.deploy('dc_a', {
    sample: async () => {
      started++;
      await hanging.promise;
    },
  });
  await begin({ limits: { bufferedOfLaneMax: 2 } });
  for (let call = 0; call < 5; call++) await world.trigger('dc_a', { kind: 'sample', replyTo: 'gw_1' });
  await world.deploy('dc_b', { run: () => {} });
  await world.trigger('dc_b');
  await untilRuns(1);
  hanging.resolve();
  await untilRuns(6);
  expect([started, runs().map(({ outcome, error }) => [outcome, error?.name])]).toEqual([
    2,
    [...[1, 2, 3].map(() => ['succeeded', undefined]), ...[1, 2, 3].map(() => ['refused', callRefusedName])],
  ]);
});

test('a call lost by the sandbox is not repeated', async () => {
  let started = 0;
  await world.deploy('dc_a', {
    sample: () => {
      started++;
      throw new FakeEnd('lost');
    },
    run: () => {},
  });
  await begin();
  await world.trigger('dc_a', { kind: 'sample' });
  await world.trigger('dc_a');
  await untilRuns(2);
  const [call] = runs().filter(({ kind }) => kind === 'sample');
  expect([started, call]).toMatchObject([1, { outcome: 'failed', emitted: [], error: { name: callLostName } }]);
});

test('a call has a deadline for its start in the sandbox, and a run has none', async () => {
  const invoked: Invocation[] = [];
  class Watched extends FakeSandbox {
    override invoke(invocation: Invocation): Promise<InvocationOutcome> {
      invoked.push(invocation);
      return super.invoke(invocation);
    }
  }
  await world.deploy('dc_a', { sample: () => {}, run: () => {} });
  const readFrom = performance.now();
  await begin({ sandbox: new Watched(world.components) });
  for (const kind of ['sample', 'manual'] as const) await world.trigger('dc_a', { kind });
  await untilRuns(2);
  const beginBy = (what: Invocation['what']): number | undefined => invoked.find((one) => one.what === what)?.beginBy;
  expect(beginBy('sample')).toBeGreaterThan(readFrom);
  expect(beginBy('sample')).toBeLessThanOrEqual(performance.now() + callRunTimeoutMs);
  expect([invoked.length, beginBy('run')]).toEqual([2, undefined]);
});

test('a call that expires before it starts is refused and does not request an append', async () => {
  const ready: string[] = [];
  const calls = new CallGate({ ownedFrom: 5, onWaiting: () => ready.push('ready') });
  const attemptOf = (offset: number, readAt: number): Attempt => {
    const fields = { offset, readAt, sourceId: 'dc_a', workspace: 'o_1', lane: 'calls', kind: 'sample', revision: 1 };
    const trigger = { data: { sourceId: 'dc_a', kind: 'sample', revision: 1 } } as Attempt['trigger'];
    return { queued: { ...fields, bytes: 0, losses: 0, record: undefined } as QueuedTrigger, trigger, startedAt: 1 };
  };
  const now = performance.now();
  expect(await calls.begin(attemptOf(4, now))).toMatchObject({
    end: { outcome: 'failed', error: { name: callLostName } },
  });
  const expired = { end: { outcome: 'refused', error: { name: callExpiredName } } };
  expect(await calls.begin(attemptOf(5, now - callRunTimeoutMs))).toMatchObject(expired);
  expect([ready, calls.isReady]).toEqual([[], false]);
  // Its time started after it was read, because packages were installed for it.
  expect(await calls.begin(attemptOf(5, now), now - callRunTimeoutMs)).toMatchObject(expired);
  const first = calls.begin(attemptOf(6, now - callRunTimeoutMs + 5_000));
  expect([ready, calls.isReady]).toEqual([['ready'], true]);
  const appended = calls.assignToAppend();
  const later = calls.begin(attemptOf(7, now));
  appended();
  expect(await first).toBeLessThanOrEqual(5_000);
  expect(calls.isReady).toBe(true);
  calls.releaseAll();
  await later;
});
