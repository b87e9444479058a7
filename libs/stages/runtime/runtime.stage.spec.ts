// What a source's owner sees of its runs.
import type { ChannelEvent, RunEvent } from '../../domain/channel/messages.ts';
import type { HookEvent } from '../../domain/component/messages.ts';
import type { Reply } from '../../log/index.ts';
import { everyGateway } from '../../log/index.ts';
import { FakeEnd } from '../../sandbox/sandbox.fake.ts';
import { Life, until } from './testing/life.ts';
import type { LifeOptions } from './testing/life.ts';
import { World } from './testing/world.ts';

let world: World;
let life: Life | undefined;

beforeEach(async () => {
  world = new World();
  await world.addKey();
});

afterEach(async () => {
  await life?.stop(0);
  expect(life?.failure).toBeUndefined();
});

const begin = async (options?: LifeOptions): Promise<void> => {
  life = await Life.begin(world, options);
};
const events = (): readonly ChannelEvent['data'][] => world.data('channels');
const runs = (): readonly RunEvent['data'][] => world.data('runs');
const hooks = (): readonly HookEvent[] => world.log.records('hooks') as unknown as readonly HookEvent[];
const bodies = (): unknown[] => events().map(({ event }) => event);
const finished = (count: number): Promise<void> => until(() => runs().length === count, `${count} runs`);

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

test('a request becomes a run whose events, record and state stand on the log together', async () => {
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
  expect(life?.outputs).toHaveLength(1);
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

test('runs of one source follow each other in order, sources go side by side', async () => {
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

test('a request that comes while activate waits is run at once, and both see one db', async () => {
  const handshake = gate();
  await world.deploy('dc_a', {
    hooks: {
      activate: async ({ db, emit }) => {
        db.set('asked', true);
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
  await world.post('dc_a', {});
  await finished(2);
  expect(bodies()).toEqual(['from the handshake']);
  expect(hooks()).toMatchObject([{ type: 'HookSucceeded', data: { kind: 'activate', revision: 1 } }]);
  expect(world.db('dc_a')).toEqual({ asked: true, secret: 'from the handshake' });
});

test('describe gives the manifest, or the error with its line', async () => {
  await world.deploying('dc_good', {});
  await world.deploying('dc_bad', {});
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

test('a hook that throws is a failed hook with its console; what it emitted stands', async () => {
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

test('a throw or a timeout commits what was emitted and set before it, with the error', async () => {
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

test('a run whose runner dies is repeated with the db that was committed', async () => {
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

test('a trigger whose runner dies twice is a failed run, and the next one runs', async () => {
  await world.deploy('dc_a', {
    run: ({ event, emit }) => {
      emit({ event: 'x' });
      if ((event as { body: string }).body === 'deadly') throw new FakeEnd('lost');
    },
  });
  await begin();
  await world.post('dc_a', 'deadly');
  await world.post('dc_a', 'fine');
  await finished(2);
  expect(runs()).toMatchObject([
    { outcome: 'failed', error: { name: 'RunnerDiedError' }, emitted: [] },
    { outcome: 'succeeded' },
  ]);
  expect(bodies()).toEqual(['x']);
});

test('what waits of a deleted source, and of a refused deploy, becomes a refused run', async () => {
  const slow = gate();
  await world.deploy('dc_gone', { run: () => slow.opened });
  await world.deploying('dc_refused', { run: () => undefined });
  await begin();
  await world.post('dc_gone', 1);
  await world.post('dc_gone', 2);
  await world.post('dc_refused', 3);
  await world.tell('components', 'SourceDeployRefused', 'dc_refused', {
    sourceId: 'dc_refused',
    revision: 1,
    reason: 'props_invalid',
    message: '',
  });
  await finished(1);
  await world.deleted('dc_gone');
  await finished(3);
  slow.open();
  expect(runs().map(({ sourceId, outcome }) => [sourceId, outcome])).toEqual([
    ['dc_refused', 'refused'],
    ['dc_gone', 'refused'],
    ['dc_gone', 'refused'],
  ]);
});

test('a refusal of a repeated command leaves the source as it was', async () => {
  await world.deploy('dc_a', { run: ({ emit }) => emit({ event: 1 }) });
  await world.tell('components', 'SourceDeployRefused', 'dc_a', {
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

test('a trigger waits until its revision and its key have been read, and holds nobody else up', async () => {
  world = new World();
  await begin();
  await world.post('dc_late', 1);
  await world.deploy('dc_other', { run: ({ emit }) => emit({ event: 'other' }) });
  await world.post('dc_other', 1);
  expect(runs()).toHaveLength(0);
  await world.addKey();
  await finished(1);
  await world.deploying('dc_late', { run: ({ emit }) => emit({ event: 'late' }) });
  await world.post('dc_other', 2);
  await finished(2);
  await world.configured('dc_late');
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

test('the waiting gateway hears the response at once, and the end once it stands on the log', async () => {
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

test('gateways hear of a full source again and again, and when it is free; nothing that was accepted is lost', async () => {
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
