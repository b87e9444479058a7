// What the owner of a source sees of its runs.
import type { HookEvent } from '../../domain/source/messages.ts';
import type { Reply } from '../../log/index.ts';
import { everyGateway } from '../../log/index.ts';
import { FakeEnd } from '../../sandbox/sandbox.fake.ts';
import type { FakeFunction } from '../../sandbox/sandbox.fake.ts';
import { until } from './testing/life.fake.ts';
import { World } from './testing/world.fake.ts';
import { worldForEachTest } from './testing/worlds.fake.ts';

let world: World;
const { enter, begin, events, runs, finished, life } = worldForEachTest((made) => (world = made));

const hooks = (): readonly HookEvent[] => world.log.records('hooks') as unknown as readonly HookEvent[];
const bodies = (): unknown[] => events().flatMap(({ channel, event }) => (channel === '$errors' ? [] : [event]));

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

test('a request becomes a run whose events, record and state are logged in one append', async () => {
  await world.deploy('dc_a', {
    dedupe: 'unique',
    run: ({ event, emit, db, console }) => {
      db.set('seen', event);
      emit({ event: (event as { body: { n: number } }).body, id: 1, summary: 'one', channel: 'c' });
      console('hello');
    },
  });
  await begin();
  const triggerId = await world.post('dc_a', { n: 1 }, { http: { path: '/p', query: { q: '1' } } });
  await finished(1);
  expect(life()?.outputs).toHaveLength(1);
  expect(events()[0]).toMatchObject({
    emitterId: 'dc_a',
    channel: 'c',
    event: { n: 1 },
    emit: { id: 1, summary: 'one' },
  });
  expect(runs()[0]).toMatchObject({
    kind: 'http',
    outcome: 'succeeded',
    console: [{ text: 'hello' }],
    emitted: [events()[0]?.eventId],
  });
  expect(world.log.records('channels')[0]).toMatchObject({ key: 'dc_a', causationId: triggerId });
  expect(world.db('dc_a')).toMatchObject({
    seen: { method: 'POST', path: '/p', query: { q: '1' }, bodyRaw: '{"n":1}', client_ip: '::1' },
  });
  expect(JSON.stringify(world.data('state'))).not.toContain('seen');
});

test('runs of one source follow each other in order, and different sources run in parallel', async () => {
  const slow = gate();
  let running = 0;
  await world.deploy('dc_slow', {
    run: async ({ event, emit }) => {
      expect(++running).toBe(1);
      await slow.opened;
      running--;
      emit({ event: (event as { body: number }).body });
    },
  });
  await world.deploy('dc_quick', { run: ({ emit }) => emit({ event: 'quick' }) });
  await begin();
  for (const n of [1, 2, 3]) await world.post('dc_slow', n);
  await world.post('dc_quick', 0);
  await finished(1);
  expect(bodies()).toEqual(['quick']);
  slow.open();
  await finished(4);
  expect(bodies()).toEqual(['quick', 1, 2, 3]);
});

test('a request that arrives while the activate hook waits runs at once, and both see the same db', async () => {
  const handshake = gate();
  let asked = false;
  await world.deploy('dc_a', {
    hooks: {
      activate: async ({ db, emit }) => {
        db.set('asked', true);
        asked = true;
        await handshake.opened;
        emit({ event: db.get('secret') ?? 'none' });
      },
    },
    run: ({ db }) => {
      expect(db.get('asked')).toBe(true);
      db.set('secret', 'from the handshake');
      handshake.open();
    },
  });
  await begin();
  await world.trigger('dc_a', { kind: 'activate' });
  await until(() => asked);
  await world.post('dc_a', {});
  await finished(2);
  expect(bodies()).toEqual(['from the handshake']);
  expect(hooks()).toMatchObject([{ type: 'HookSucceeded', data: { kind: 'activate', revision: 1 } }]);
  expect(world.db('dc_a')).toEqual({ asked: true, secret: 'from the handshake' });
});

test('describe returns the manifest, or the error with its line', async () => {
  await world.beginDeploy('dc_good', {});
  await world.beginDeploy('dc_bad', {});
  world.components.delete('dc_bad');
  await begin();
  const good = await world.trigger('dc_good', { kind: 'describe' });
  await world.trigger('dc_bad', { kind: 'describe' });
  await finished(2);
  expect(hooks()).toMatchObject([
    { type: 'SourceDescribed', causationId: good, data: { sourceId: 'dc_good', manifest: { name: 'dc_good' } } },
    { type: 'HookFailed', data: { sourceId: 'dc_bad', kind: 'describe', error: { name: 'SyntaxError', line: 1 } } },
  ]);
  expect(runs().map(({ outcome }) => outcome)).toEqual(['succeeded', 'failed']);
});

test('a hook that throws is recorded as failed with its console, and its earlier emits are kept', async () => {
  await world.deploy('dc_a', {
    hooks: {
      deploy: ({ emit, console }) => {
        emit({ event: 'early' });
        console('about to fail');
        throw new Error('no such feed');
      },
    },
  });
  await begin();
  await world.trigger('dc_a', { kind: 'deploy' });
  await finished(1);
  expect(hooks()).toMatchObject([
    { type: 'HookFailed', data: { error: { message: 'no such feed' }, console: [{ text: 'about to fail' }] } },
  ]);
  expect(bodies()).toEqual(['early']);
});

test('with emitOnDeploy off, emits of the deploy and activate hooks are dropped, and all others are kept', async () => {
  const emitting: FakeFunction = ({ emit, db }) => {
    emit({ event: 'hook', id: 1 });
    db.set('hooked', true);
  };
  await world.deploy('dc_a', {
    dedupe: 'unique',
    settings: { emitOnDeploy: false },
    hooks: { deploy: emitting, activate: emitting, deactivate: ({ emit }) => emit({ event: 'over', id: 2 }) },
    run: ({ emit }) => emit({ event: 'run', id: 1 }),
  });
  await begin();
  for (const kind of ['deploy', 'activate', 'manual', 'deactivate'] as const) {
    await world.trigger('dc_a', { kind });
    await finished(runs().length + 1);
  }
  expect(bodies()).toEqual(['run', 'over']);
  expect(world.db('dc_a')).toEqual({ hooked: true });
  expect(runs().map(({ emitted, deduped }) => [emitted.length, deduped])).toEqual([
    [0, 0],
    [0, 0],
    [1, 0],
    [1, 0],
  ]);
});

test('a run that throws or times out keeps its earlier emits and db writes, and records the error', async () => {
  await world.deploy('dc_a', {
    run: ({ event, emit, db }) => {
      emit({ event: 'before' });
      db.set('before', true);
      throw (event as { body: string }).body === 'throw' ? new Error('bad luck') : new FakeEnd('timed_out');
    },
  });
  await begin();
  await world.post('dc_a', 'throw');
  await world.post('dc_a', 'hang');
  await finished(2);
  expect(bodies()).toEqual(['before', 'before']);
  expect(world.db('dc_a')).toEqual({ before: true });
  expect(runs()).toMatchObject([
    { outcome: 'failed', error: { message: 'bad luck' } },
    { outcome: 'failed', error: { name: 'Error' } },
  ]);
});

test('a run whose runner dies is repeated with the committed db', async () => {
  let deaths = 0;
  const seen: unknown[] = [];
  await world.deploy('dc_a', {
    run: ({ event, db, emit }) => {
      seen.push(db.get('n'));
      db.set('n', (event as { body: number }).body);
      emit({ event: Number((event as { body: number }).body) });
      if ((event as { body: number }).body === 2 && deaths++ === 0) throw new FakeEnd('lost');
    },
  });
  await begin();
  for (const n of [1, 2, 3]) await world.post('dc_a', n);
  await finished(3);
  expect(seen).toEqual([undefined, 1, 1, 2]);
  expect(bodies()).toEqual([1, 2, 3]);
  expect(world.db('dc_a')).toEqual({ n: 3 });
});

test('a lost run is repeated until it completes, however often, and those after it wait', async () => {
  let attempts = 0;
  await world.deploy('dc_a', {
    run: ({ event, emit }) => {
      emit({ event: (event as { body: string }).body });
      if ((event as { body: string }).body === 'unlucky' && ++attempts <= 6) throw new FakeEnd('lost');
    },
  });
  await begin({ limits: { repeatMs: 1 } });
  await world.post('dc_a', 'unlucky');
  await world.post('dc_a', 'fine');
  await finished(2);
  expect(attempts).toBe(7);
  expect(runs()).toMatchObject([{ outcome: 'succeeded' }, { outcome: 'succeeded' }]);
  expect(bodies()).toEqual(['unlucky', 'fine']);
});

test('a run that is lost again and again is repeated with a delay, and other sources continue', async () => {
  let attempts = 0;
  await world.deploy('dc_lost', {
    run: () => {
      attempts++;
      throw new FakeEnd('lost');
    },
  });
  await world.deploy('dc_fine', { run: ({ emit }) => emit({ event: 'x' }) });
  await begin({ limits: { repeatMs: 60_000, repeatMaxMs: 60_000, runsMax: 1 } });
  await world.post('dc_lost', 1);
  for (let n = 0; n < 20; n++) await world.post('dc_fine', n);
  await finished(20);
  // The second attempt follows at once, and then there is none for a minute.
  expect(attempts).toBe(2);
});

test('a run that crashes its process fails and is never repeated, and the next one runs', async () => {
  let attempts = 0;
  await world.deploy('dc_a', {
    run: ({ event, db, emit }) => {
      emit({ event: 'x' });
      if ((event as { body: string }).body !== 'deadly') return;
      attempts++;
      db.set('k', 1);
      throw new FakeEnd('crashed');
    },
  });
  await begin();
  await world.post('dc_a', 'deadly');
  await world.post('dc_a', 'fine');
  await finished(2);
  expect(attempts).toBe(1);
  expect(runs()).toMatchObject([
    { outcome: 'failed', error: { name: 'CrashError' }, emitted: [] },
    { outcome: 'succeeded' },
  ]);
  expect(bodies()).toEqual(['x']);
  expect(world.db('dc_a')).toEqual({});
  expect(life()?.alerts).toEqual(['component_crashed dc_a']);
});

test('when a source is deleted, its active run still ends, and what waits for it or for a refused deploy is refused', async () => {
  const slow = gate();
  await world.deploy('dc_gone', {
    run: async ({ emit }) => {
      await slow.opened;
      emit({ event: 'late' });
    },
  });
  await world.beginDeploy('dc_refused', { run: () => undefined });
  await begin();
  const replies: Reply[] = [];
  world.log.onReply('gw_1', (reply) => reply.type === 'RunEnded' && replies.push(reply));
  await world.post('dc_gone', 1, { replyTo: 'gw_1' });
  await world.post('dc_gone', 2, { replyTo: 'gw_1' });
  await world.post('dc_refused', 3);
  await world.endSource('dc_refused', 'SourceDeployRefused');
  await finished(1);
  await world.endSource('dc_gone');
  slow.open();
  await finished(3);
  expect(runs().map(({ sourceId, outcome }) => [sourceId, outcome])).toEqual([
    ['dc_refused', 'refused'],
    ['dc_gone', 'succeeded'],
    ['dc_gone', 'refused'],
  ]);
  expect(bodies()).toEqual(['late']);
  expect(replies).toMatchObject([{ failed: false }, { failed: true, gone: true }]);
});

test('a refusal of a repeated command leaves the source as it was', async () => {
  await world.deploy('dc_a', { run: ({ emit }) => emit({ event: 1 }) });
  await world.append('components', 'SourceDeployRefused', 'dc_a', {
    sourceId: 'dc_a',
    revision: 0,
    reason: 'repeated',
    message: '',
  });
  await begin();
  await world.post('dc_a', {});
  await finished(1);
  expect(runs()[0]?.outcome).toBe('succeeded');
});

test('a trigger waits until its revision and its key have been read, and blocks no other source', async () => {
  enter(new World());
  await begin();
  await world.beginDeploy('dc_late', { run: ({ emit }) => emit({ event: 'late' }) });
  await world.post('dc_late', 1);
  await world.deploy('dc_other', { run: ({ emit }) => emit({ event: 'other' }) });
  await world.post('dc_other', 1);
  expect(runs()).toHaveLength(0);
  await world.addKey();
  await finished(1);
  await world.post('dc_other', 2);
  await finished(2);
  await world.configure('dc_late');
  await finished(3);
  expect(bodies()).toEqual(['other', 'other', 'late']);
});

test('secret props and sealed headers reach the component, and no console line or error shows them', async () => {
  const token = 'Bearer hush-hush-token';
  await world.deploy(
    'dc_a',
    {
      props: [{ name: 'http', type: '$.interface.http' }],
      run: ({ props, event, console, emit }) => {
        const { headers } = event as { headers: Record<string, string> };
        emit({ event: { props, auth: headers['authorization'] ?? '' } });
        console(`${String(props['apiKey'])} and ${token.slice('Bearer '.length)} and ${String(props['plain'])}`);
        throw new Error(`refused ${String(props['apiKey'])}`);
      },
    },
    { apiKey: world.seal('secret-api-key'), plain: 'plain value' },
  );
  await begin();
  await world.post('dc_a', {}, { http: { sealedHeaders: world.seal({ authorization: token }) } });
  await finished(1);
  const endpoint = 'http://test/e/key-dc_a';
  expect(bodies()).toEqual([
    { props: { apiKey: 'secret-api-key', plain: 'plain value', http: { endpoint } }, auth: token },
  ]);
  expect(runs()[0]?.console[0]?.text).toBe('[secret] and [secret] and plain value');
  expect(runs()[0]?.error?.message).toBe('refused [secret]');
});

test('the waiting gateway gets the response at once, and the end of the run once it is on the log', async () => {
  const replies: Reply[] = [];
  const runsSeen: number[] = [];
  const rest = gate();
  await world.deploy('dc_a', {
    run: async ({ respond }) => {
      respond({ status: 201, bodyBase64: 'aGk=' });
      await rest.opened;
      throw new Error('after the answer');
    },
  });
  world.log.onReply('gw_1', (reply) => {
    runsSeen.push(runs().length);
    replies.push(reply);
  });
  await begin();
  await world.post('dc_a', {}, { replyTo: 'gw_1' });
  await until(() => replies.length === 1);
  rest.open();
  await until(() => replies.length === 2);
  expect(runsSeen).toEqual([0, 1]);
  expect(replies).toMatchObject([
    { type: 'HttpResponded', status: 201, bodyBase64: 'aGk=' },
    { type: 'RunEnded', failed: true },
  ]);
});

test('gateways are told repeatedly that a source is full, and when it is free again, and no accepted request is lost', async () => {
  const replies: string[] = [];
  const slow = gate();
  await world.deploy('dc_a', { run: async ({ emit }) => (await slow.opened, emit({ event: 1 })) });
  world.log.onReply(everyGateway, ({ type }) => replies.push(type));
  world.log.onReply('gw_1', ({ type }) => replies.push(type));
  await begin({ limits: { queueFullAt: 5, queueFreeAt: 2, fullRepeatMs: 2 } });
  for (let n = 0; n < 10; n++) await world.post('dc_a', n);
  await until(() => replies.filter((type) => type === 'SourceFull').length >= 3);
  expect(replies).not.toContain('SourceFree');
  slow.open();
  await finished(10);
  expect(replies.at(-1)).toBe('SourceFree');
});

test('sources that hang in runs take no slots from the hooks of others', async () => {
  const slow = gate();
  await world.deploy('dc_slow', { run: () => slow.opened });
  await world.deploy('dc_next', {
    run: ({ emit }) => emit({ event: 'run' }),
    hooks: { activate: ({ emit }) => emit({ event: 'hook' }) },
  });
  await begin({ limits: { runsMax: 1 } });
  await world.post('dc_slow', 1);
  await world.post('dc_next', 2);
  await world.trigger('dc_next', { kind: 'activate' });
  await finished(1);
  expect(bodies()).toEqual(['hook']);
  slow.open();
  await finished(3);
  expect(bodies()).toEqual(['hook', 'run']);
});

test('on a slow disk, no run starts above the limit of unsaved outputs', async () => {
  const text = 'x'.repeat(300_000);
  const disk = gate();
  let started = 0;
  for (const sourceId of ['dc_a', 'dc_b']) {
    await world.deploy(sourceId, {
      run: ({ emit }) => {
        started++;
        emit({ event: text });
      },
    });
  }
  await begin({ disk: disk.opened, limits: { unsavedBytesMax: 1_000_000 } });
  for (let n = 0; n < 10; n++) for (const sourceId of ['dc_a', 'dc_b']) await world.post(sourceId, n);
  await until(() => started >= 4);
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(started).toBeLessThanOrEqual(5);
  disk.open();
  await finished(20);
});

test('every append stays within its size limit, and a run is never split', async () => {
  const text = 'x'.repeat(300_000);
  await world.deploy('dc_a', {
    run: ({ emit, db }) => {
      db.set('k', 'y'.repeat(60_000));
      for (let n = 0; n < 5; n++) emit({ event: text });
    },
  });
  await begin({ appendBytes: 4_000_000 });
  for (let n = 0; n < 6; n++) await world.post('dc_a', n);
  await finished(6);
  expect(life()?.outputs.length).toBeGreaterThan(1);
  for (const { records } of life()?.outputs ?? []) {
    expect(JSON.stringify(records).length).toBeLessThanOrEqual(4_000_000);
    const count = (topic: string): number => records.filter((record) => record.topic === topic).length;
    expect(count('channels')).toBe(5 * count('runs'));
    expect(count('state')).toBe(1);
  }
});

test('a run fails when its db is full, and the writes that fitted are kept', async () => {
  await world.deploy('dc_a', {
    run: ({ db }) => Array.from({ length: 7 }, (_, n) => db.set(`k${n}`, 'x'.repeat(60_000))) && undefined,
  });
  await begin();
  await world.post('dc_a', 1);
  await finished(1);
  expect(runs()[0]).toMatchObject({ outcome: 'failed', error: { name: 'DbFullError' } });
  expect(Object.keys(world.db('dc_a') as object)).toHaveLength(6);
});

test('runs of a source in an erased workspace are refused, and its hooks fail', async () => {
  await world.deploy('dc_a', { run: ({ emit }) => emit({ event: 1 }) });
  await world.append('keys', 'DataKeyAdded', 'o_1', null);
  await begin();
  await world.post('dc_a', 1);
  await world.trigger('dc_a', { kind: 'deactivate' });
  await finished(2);
  expect(runs().map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
  expect(hooks()).toMatchObject([
    { type: 'HookFailed', data: { error: { message: expect.stringContaining('erased') } } },
  ]);
});
