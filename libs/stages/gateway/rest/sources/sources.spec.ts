import { until } from '../../../../../test/support/until.ts';
import type { Manifest } from '../../../../domain/component/manifest.ts';
import { eventOrder } from '../../../../domain/views/index.ts';
import type { FakeComponent } from '../../../../sandbox/sandbox.fake.ts';
import { TestBed } from '../../test-bed.fake.ts';
import type { Answer } from '../../test-bed.fake.ts';
import { presentRun } from '../../records/run.presenter.ts';

const deliveryId = 'msg_0000000000000001';

interface Source {
  readonly id: string;
  readonly state: string;
  readonly name_slug: string;
  readonly configured_props: Readonly<Record<string, { readonly endpoint_url: string }>>;
  readonly [name: string]: unknown;
}

const manifest: Manifest = {
  name: 'Echo',
  version: '0.0.1',
  type: 'source',
  props: [
    { name: 'http', type: '$.interface.http' },
    { name: 'token', type: 'string', secret: true, optional: true },
  ],
  hooks: [],
  methods: [],
  additionalProps: false,
};
const echo: FakeComponent = {
  manifest,
  run: ({ event, emit, console }) => {
    console('got one');
    const { body } = event as { body: { channel?: string; big?: boolean } };
    emit({ event: body.big ? { text: 'x'.repeat(2_000) } : body, channel: body.channel ?? '', summary: 's' });
  },
};
const throwing = (): never => {
  throw new TypeError('no such account');
};
const waiting = Promise.withResolvers<void>();

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start();
  bed.components.set('echo', echo);
  bed.components.set('hooked', {
    manifest: { ...manifest, hooks: ['deploy'] },
    hooks: { deploy: ({ console }) => console('deployed') },
  });
  bed.components.set('throwing', {
    manifest: { ...manifest, hooks: ['activate'] },
    hooks: {
      activate: ({ console }) => {
        console('before');
        throwing();
      },
    },
  });
  bed.components.set('waiting', {
    manifest: { ...manifest, hooks: ['activate', 'deactivate'] },
    hooks: { activate: () => waiting.promise, deactivate: () => waiting.promise },
  });
  bed.components.set('needy', { manifest: { ...manifest, props: [{ name: 'repo', type: 'string' }] } });
});
afterAll(async () => {
  waiting.resolve();
  await bed?.stop();
});

const deploy = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  bed.call('POST', '/v1/sources', { body, headers });
const sourceOf = (answer: Answer): Source => answer.body.data as Source;
const post = (source: Source, body: unknown): Promise<Answer> =>
  bed.send('POST', new URL(source.configured_props['http']?.endpoint_url ?? '').pathname, { body });

test('a deploy returns the source with its endpoint, and the source can be read and listed', async () => {
  const answer = await deploy({ component_code: 'echo', configured_props: { token: 'hush-hush' } });
  expect(answer.status).toBe(200);
  const source = sourceOf(answer);
  expect(source).toMatchObject({
    id: expect.stringMatching(/^dc_[0-9A-Za-z]{16}$/),
    component_id: expect.stringMatching(/^sc_/),
    state: 'active',
    active: true,
    name: 'Echo',
    name_slug: 'echo',
    observations: [],
    configured_props: {
      http: { endpoint_url: expect.stringMatching(/^http:\/\/test\.local\/e\/[0-9a-z]{26}$/) },
      token: '[secret]',
    },
  });
  expect(JSON.stringify(bed.log.records('commands'))).not.toContain('hush-hush');
  const got = sourceOf(await bed.call('GET', `/v1/sources/${source.id}`));
  expect(got).toEqual({ ...source, observations: undefined });
  for (const list of ['/v1/sources', '/v1/users/me/sources', `/v1/orgs/${String(source['owner_id'])}/sources`]) {
    expect((await bed.call('GET', list)).body.data).toEqual([got]);
  }
});

test('a deploy returns the console of its hook', async () => {
  const { observations } = sourceOf(await deploy({ component_code: 'hooked', name: 'Mine' }));
  expect(observations).toEqual([{ k: 'console.log', ts: expect.any(Number), msg: 'deployed' }]);
});

test.each([
  ['a component that does not parse', { component_code: 'nonsense' }, 'component_invalid', { line: 1, column: 1 }],
  [
    'a missing and an unknown prop',
    { component_code: 'needy', configured_props: { nope: 1 } },
    'props_invalid',
    {
      problems: [
        { field: 'repo', message: 'Prop "repo" is required (string).' },
        { field: 'nope', message: 'Prop "nope" is not a prop of this component: its props are repo.' },
      ],
    },
  ],
  ['a hook that throws', { component_code: 'throwing' }, 'hook_failed', { console: [{ text: 'before' }] }],
])('refuses a deploy with %s and gives the reason', async (_name, body, code, details) => {
  const before = (await bed.call('GET', '/v1/sources')).body.page_info;
  const answer = await deploy(body);
  expect([answer.status, answer.body.code]).toEqual([400, code]);
  expect(answer.body.details).toMatchObject(details);
  const refused = await bed.call('GET', `/v1/sources/${String(answer.body.details?.['source_id'])}`);
  expect(sourceOf(refused)).toMatchObject({ state: 'refused', refusal: { code, error: answer.body.error } });
  expect((await bed.call('GET', '/v1/sources')).body.page_info).toEqual(before);
});

test('a source whose deploy was refused is shown, but cannot be updated, deleted or run', async () => {
  const { body } = await deploy({ component_code: 'throwing' });
  const path = `/v1/sources/${String(body.details?.['source_id'])}`;
  for (const [method, at] of [
    ['PUT', path],
    ['DELETE', path],
    ['POST', `${path}/run`],
  ] as const) {
    const answer = await bed.call(method, at, { body: {} });
    expect([answer.status, answer.body.code, answer.body.details]).toEqual([404, 'not_found', { state: 'refused' }]);
  }
  expect((await bed.call('PUT', '/v1/sources/dc_0000000000000000', { body: {} })).body).not.toHaveProperty('details');
});

test('repeating a refused deploy names the same source again', async () => {
  const headers = { 'idempotency-key': 'needy' };
  const [first, again] = [
    await deploy({ component_code: 'needy' }, headers),
    await deploy({ component_code: 'needy' }, headers),
  ];
  expect(first.body.details).toMatchObject({ source_id: expect.stringMatching(/^dc_/), problems: [{ field: 'repo' }] });
  expect([again.status, again.body]).toEqual([400, first.body]);
});

test.each([
  ['no code', {}],
  ['code that is not text', { component_code: 1 }],
  ['an invalid url', { component_url: 'example.com/x.js' }],
  ['both code and a registry key', { component_code: 'echo', key: 'github-new-star' }],
  ['a prop name beginning with $', { component_code: 'echo', configured_props: { $x: 1 } }],
  ['a value that imitates a sealed one', { component_code: 'echo', configured_props: { a: [{ $sealed: 'x' }] } }],
  ['props that are a list', { component_code: 'echo', configured_props: [] }],
])('answers 400 to a deploy with %s', async (_name, body) => {
  const answer = await deploy(body);
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
});

test('answers 413 to code or props that are too large', async () => {
  const code = await deploy({ component_code: 'x'.repeat(1024 * 1024 + 1) });
  expect([code.status, code.body.code]).toEqual([413, 'too_large']);
  const record = await deploy({ component_code: 'echo', configured_props: { a: 'x'.repeat(1_600 * 1024) } });
  expect([record.status, record.body.code]).toEqual([413, 'too_large']);
});

test('a slow deploy is answered with 202, accepts requests, and can be repeated with its Idempotency-Key', async () => {
  const headers = { 'idempotency-key': 'slow' };
  const slow = (): Promise<Answer> => bed.answeringEarly(() => deploy({ component_code: 'waiting' }, headers));
  const first = await slow();
  expect([first.status, sourceOf(first).state]).toEqual([202, 'deploying']);
  expect((await post(sourceOf(first), {})).status).toBe(200);
  const again = await slow();
  expect([again.status, sourceOf(again).id]).toEqual([202, sourceOf(first).id]);
  expect((await deploy({ component_code: 'echo' }, headers)).status).toBe(409);
  const busy = await bed.call('DELETE', `/v1/sources/${sourceOf(first).id}`);
  expect([busy.status, busy.body.code]).toEqual([409, 'busy']);
  waiting.resolve();
  await until('the deploy to end', async () => {
    const { state } = sourceOf(await bed.call('GET', `/v1/sources/${sourceOf(first).id}`));
    return state === 'active';
  });
  const done = await deploy({ component_code: 'waiting' }, headers);
  expect([done.status, sourceOf(done).state]).toEqual([200, 'active']);
});

test('lists events and runs of a source newest first, by channel and in pages', async () => {
  const source = sourceOf(await deploy({ component_code: 'echo', name: 'History' }));
  await post(source, { n: 1 });
  await post(source, { n: 2, channel: 'odd' });
  await post(source, { big: true });
  const path = `/v1/sources/${source.id}/event_summaries`;
  const events = async (query: Record<string, string> = {}): Promise<Record<string, unknown>[]> =>
    (await bed.call('GET', path, { query })).body.data as Record<string, unknown>[];
  const [big, second, first] = await until('three events', async () => {
    const found = await events();
    return found.length === 3 && found;
  });
  expect(big).toMatchObject({ event: expect.stringContaining('xxx'), truncated: true });
  expect(first).toMatchObject({ id: expect.stringMatching(/^\d+-0$/), event: { n: 1 }, metadata: { name: '' } });
  expect(second).toMatchObject({ metadata: { name: 'odd', summary: 's', emitter_id: source.id } });
  const [whole] = await events({ expand: 'event', limit: '1' });
  expect(whole).toMatchObject({ event: { text: 'x'.repeat(2_000) } });
  expect(await events({ event_name: 'odd' })).toEqual([second]);
  expect(await events({ after: String(second?.['id']) })).toEqual([first]);
  expect(await events({ before: String(second?.['id']) })).toEqual([big]);
  const runs = await until('four runs', async () => {
    const { data } = (await bed.call('GET', `/v1/sources/${source.id}/runs`)).body;
    return (data as unknown[]).length === 4 && (data as Record<string, unknown>[]);
  });
  expect(runs.filter(({ kind }) => kind === 'http').map(({ console }) => console)).toEqual(
    Array.from({ length: 3 }, () => [{ level: 'log', text: 'got one', at_ms: expect.any(Number) }]),
  );
});

test('rounds the duration of a run to a tenth of a millisecond', () => {
  const run = { workspace: 'o_1', runId: 'run_1', sourceId: 'dc_1', kind: 'http', outcome: 'succeeded' } as const;
  const empty = {
    startedAt: 0,
    console: [],
    error: null,
    emitted: [],
    deduped: 0,
    requests: [],
    requestCount: 0,
    place: 0,
    order: '',
    loggedUnder: '',
  };
  expect(presentRun({ ...run, ...empty, durationMs: 3.14159 }).duration_ms).toBe(3.1);
});

test('deleting a source also removes its subscriptions and its endpoint', async () => {
  const source = sourceOf(await deploy({ component_code: 'echo', name: 'Short' }));
  const webhook = await bed.call('POST', '/v1/webhooks', { body: { url: 'https://example.com/' } });
  const listener = (webhook.body.data as { id: string }).id;
  const triple = { emitter_id: source.id, listener_id: listener };
  expect((await bed.call('POST', '/v1/subscriptions', { body: triple })).status).toBe(200);
  expect((await bed.call('DELETE', `/v1/sources/${source.id}`)).status).toBe(204);
  expect((await bed.call('GET', '/v1/subscriptions')).body.data).toEqual([]);
  expect((await bed.call('GET', `/v1/sources/${source.id}`)).status).toBe(404);
  expect((await post(source, {})).status).toBe(404);
  expect((await bed.call('DELETE', `/v1/sources/${source.id}`)).status).toBe(404);
});

test('events, runs and deliveries of a deleted source can still be read', async () => {
  const source = sourceOf(await deploy({ component_code: 'echo', name: 'Past' }));
  await post(source, { n: 1 });
  await putDelivery(source.id);
  const of = async (list: string) => (await bed.call('GET', `/v1/sources/${source.id}/${list}`)).body.data as unknown[];
  const events = await until('the event', async () => {
    const found = await of('event_summaries');
    return found.length === 1 && found;
  });
  expect((await bed.call('DELETE', `/v1/sources/${source.id}`)).status).toBe(204);
  expect((await bed.call('GET', `/v1/sources/${source.id}`)).status).toBe(404);
  expect(await of('event_summaries')).toEqual(events);
  expect(await of('runs')).toMatchObject([{ kind: 'http' }, { kind: 'describe' }]);
  const deliveries = await bed.call('GET', '/v1/deliveries', { query: { source_id: source.id } });
  expect(deliveries.body.data).toMatchObject([{ id: deliveryId, state: 'parked' }]);
  expect((await bed.call('GET', `/v1/deliveries/${deliveryId}`)).status).toBe(200);
});

/** Puts a parked delivery of this source into the views, as projection does. */
async function putDelivery(emitterId: string): Promise<void> {
  const workspace = bed.log.records('workspaces')[0]?.workspace ?? '';
  const value = {
    workspace,
    emitterId,
    subscriptionId: 'sub_a',
    webhookId: 'wh_a',
    webhookMessageId: deliveryId,
    eventId: '1-1',
    order: eventOrder('1-1'),
    channel: '',
    state: 'parked' as const,
    attemptCount: 1,
    nextAttemptAt: null,
    parkedReason: null,
    updatedAt: 5,
    attempts: [],
  };
  await bed.views.live().put([{ view: 'deliveries', id: deliveryId, version: 1, value }]);
}
