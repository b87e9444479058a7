import { until } from '../../../../../../test/support/until.ts';
import type { Manifest, PropDefinition } from '../../../../../domain/component/manifest.ts';
import type { Json, JsonObject } from '../../../../../domain/json.ts';
import type { FakeCall, FakeComponent, FakeFunction } from '../../../../../sandbox/sandbox.fake.ts';
import { TestBed } from '../../../test-bed.fake.ts';
import type { Answer } from '../../../test-bed.fake.ts';

interface Source {
  readonly id: string;
  readonly configured_props: Readonly<Record<string, { readonly endpoint_url: string }>>;
  readonly [name: string]: unknown;
}

const http: PropDefinition = { name: 'http', type: '$.interface.http' };
const bodyOf = (event: Json): JsonObject => (event as { body: JsonObject }).body;
const throwing: FakeFunction = ({ console }) => {
  console('trying');
  throw new TypeError('no such account');
};

let bed: TestBed;
const called: string[] = [];
beforeAll(async () => {
  bed = await TestBed.start({ limits: { outcomeMs: 20_000 } });
}, 60_000);
beforeEach(() => called.splice(0));
afterAll(() => bed?.stop());

interface Version {
  readonly props?: readonly PropDefinition[];
  readonly hooks?: FakeComponent['hooks'];
  readonly run?: FakeFunction;
}

/** Emits its request body with the version and props that ran, and notes its hooks. */
function version(name: string, { props = [http], hooks, run }: Version = {}): string {
  const manifest: Manifest = {
    name: 'Versioned',
    version: name,
    type: 'source',
    props,
    methods: [],
    additionalProps: false,
    hooks: ['activate', 'deactivate'],
  };
  const noting = (hook: string) => (): void => void called.push(`${hook} ${name}`);
  const emitting = ({ event, emit, props: values }: FakeCall): void => {
    const { http: _endpoint, ...given } = values;
    emit({ event: { ...bodyOf(event), by: name, ...given } });
  };
  const own = { activate: noting('activate'), deactivate: noting('deactivate') };
  bed.components.set(name, { manifest, run: run ?? emitting, hooks: { ...own, ...hooks } });
  return name;
}

const sourceOf = (answer: Answer): Source => answer.body.data as Source;
const deploy = async (component_code: string, more: object = {}): Promise<Source> =>
  sourceOf(await bed.call('POST', '/v1/sources', { body: { component_code, ...more } }));
const put = ({ id }: Source, body: object): Promise<Answer> => bed.call('PUT', `/v1/sources/${id}`, { body });
const get = async ({ id }: Source): Promise<Source> => sourceOf(await bed.call('GET', `/v1/sources/${id}`));
const send = (source: Source, body: unknown): Promise<Answer> =>
  bed.send('POST', new URL(source.configured_props['http']?.endpoint_url ?? '').pathname, { body });
const post = async (source: Source, body: unknown): Promise<number> => (await send(source, body)).status;

/** Returns the events, oldest first. */
const emitted = ({ id }: Source, count: number): Promise<unknown[]> =>
  until(`${count} events`, async () => {
    const query = { expand: 'event', limit: '100' };
    const { data } = (await bed.call('GET', `/v1/sources/${id}/event_summaries`, { query })).body;
    const events = (data as { event: unknown }[]).map(({ event }) => event).reverse();
    return events.length >= count && events;
  });

test('new code replaces the old with deactivate and activate, and everything else stays', async () => {
  const source = await deploy(version('a1'), { name: 'Mine' });
  await post(source, { n: 1 });
  const answer = await put(source, { component_code: version('a2') });
  expect(answer.status).toBe(200);
  const updated = sourceOf(answer);
  expect(updated['version']).toBe('a2');
  expect(updated['code_hash']).not.toBe(source['code_hash']);
  expect(updated).toMatchObject({
    id: source.id,
    name: 'Mine',
    configured_props: source.configured_props,
    state: 'active',
  });
  expect(called).toEqual(['activate a1', 'deactivate a1', 'activate a2']);
  await post(source, { n: 2 });
  expect(await emitted(source, 2)).toEqual([
    { n: 1, by: 'a1' },
    { n: 2, by: 'a2' },
  ]);
  expect(sourceOf(await put(source, { component_code: version('a3') }))['version']).toBe('a3');
  expect(called.slice(3)).toEqual(['deactivate a2', 'activate a3']);
});

test('keeps props and secrets that are not given, and lets defaulted props follow the new default', async () => {
  const size = (fallback: number): PropDefinition => ({ name: 'size', type: 'integer', default: fallback });
  const props = [http, { name: 'token', type: 'string', secret: true }, { name: 'repo', type: 'string' }];
  const source = await deploy(version('b1', { props: [...props, size(1)] }), {
    configured_props: { token: 'hush-hush', repo: 'octo/hello' },
  });
  const updated = await put(source, { configured_props: { repo: 'octo/world', token: '[secret]' } });
  expect(sourceOf(updated).configured_props).toMatchObject({ token: '[secret]', repo: 'octo/world', size: 1 });
  expect(called).toEqual(['activate b1', 'deactivate b1', 'activate b1']);
  await post(source, { n: 1 });
  await put(source, { component_code: version('b2', { props: [...props, size(2)] }) });
  await post(source, { n: 2 });
  expect(await emitted(source, 2)).toEqual(
    [
      { n: 1, by: 'b1', token: '[secret]', repo: 'octo/world', size: 1 },
      { n: 2, by: 'b2', token: '[secret]', repo: 'octo/world', size: 2 },
    ].map((event) => expect.objectContaining({ ...event, token: expect.any(String) })),
  );
  const open = version('b3', { props: [http, { name: 'token', type: 'string' }] });
  const refused = await put(source, { component_code: open });
  expect([refused.status, refused.body.details]).toMatchObject([400, { problems: [{ field: 'token' }] }]);
  expect(JSON.stringify(bed.log.records('components'))).not.toContain('hush-hush');
});

test.each([
  ['does not parse', 'nonsense', {}, 'component_invalid'],
  ['misses a required prop', 'needy', {}, 'props_invalid'],
  ['does not have a given prop', 'c2', { nope: 1 }, 'props_invalid'],
])('refuses code that %s and changes nothing', async (_name, component_code, configured_props, code) => {
  version('needy', { props: [http, { name: 'repo', type: 'string' }] });
  version('c2');
  const source = await deploy(version('c1'));
  const refused = await put(source, { component_code, configured_props });
  expect([refused.status, refused.body.code]).toEqual([400, code]);
  const current = await get(source);
  expect(current).toMatchObject({ state: 'active', version: 'c1', code_hash: source['code_hash'], refusal: { code } });
  expect(called).toEqual(['activate c1']);
  expect(await post(source, { n: 1 })).toBe(200);
  expect(await emitted(source, 1)).toEqual([{ n: 1, by: 'c1' }]);
});

test('restores the old code when activate throws, and the next update starts from there', async () => {
  const source = await deploy(version('d1'));
  const refused = await put(source, { component_code: version('d2', { hooks: { activate: throwing } }), name: 'New' });
  expect([refused.status, refused.body.code]).toEqual([400, 'hook_failed']);
  expect(refused.body.details).toMatchObject({ name: 'TypeError', console: [{ text: 'trying' }] });
  expect(called).toEqual(['activate d1', 'deactivate d1', 'activate d1']);
  expect(await get(source)).toMatchObject({ state: 'active', version: 'd1', name: 'Versioned' });
  expect(await post(source, { n: 1 })).toBe(200);
  expect(await emitted(source, 1)).toEqual([{ n: 1, by: 'd1' }]);
  expect((await put(source, { component_code: version('d3') })).status).toBe(200);
  expect(await post(source, { n: 2 })).toBe(200);
  expect(await emitted(source, 2)).toContainEqual({ n: 2, by: 'd3' });
});

test('a source becomes inactive and says why when activate of both the new and the old code throws', async () => {
  const hooks: { activate: FakeFunction } = { activate: () => {} };
  const source = await deploy(version('e1', { hooks }));
  hooks.activate = throwing;
  version('e1', { hooks });
  const refused = await put(source, { component_code: version('e2', { hooks: { activate: throwing } }) });
  expect([refused.status, refused.body.code]).toEqual([400, 'hook_failed']);
  expect(refused.body.error).toContain('inactive');
  expect(await get(source)).toMatchObject({ state: 'inactive', active: false, refusal: { code: 'hook_failed' } });
  expect(await post(source, {})).toBe(404);
  version('e1');
  expect(sourceOf(await put(source, { active: true }))).toMatchObject({ state: 'active', version: 'e1' });
  expect(await post(source, { n: 1 })).toBe(200);
  expect(await emitted(source, 1)).toEqual([{ n: 1, by: 'e1' }]);
});

test('requests during an update wait for it and then run once, in order, on the new code', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const deactivate: FakeFunction = () => {
    called.push('deactivate f1');
    return gates[0]?.promise;
  };
  const source = await deploy(version('f1', { hooks: { deactivate } }));
  await post(source, { n: 0 });
  const done = put(source, { component_code: version('f2', { hooks: { activate: () => gates[1]?.promise } }) });
  await until('deactivate', async () => called.includes('deactivate f1'));
  for (const n of [1, 2, 3]) expect(await post(source, { n })).toBe(200);
  gates[0]?.resolve();
  for (const n of [4, 5]) expect(await post(source, { n })).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await emitted(source, 1)).toEqual([{ n: 0, by: 'f1' }]);
  gates[1]?.resolve();
  expect((await done).status).toBe(200);
  const all = await emitted(source, 6);
  expect(all).toEqual([{ n: 0, by: 'f1' }, ...[1, 2, 3, 4, 5].map((n) => ({ n, by: 'f2' }))]);
});

test('deactivate waits for runs in progress', async () => {
  const gate = Promise.withResolvers<void>();
  const run: FakeFunction = async ({ emit }) => {
    await gate.promise;
    emit({ event: 'slow' });
    called.push('ran');
  };
  const source = await deploy(version('g1', { run }));
  await post(source, {});
  const done = put(source, { component_code: version('g2') });
  await until('the update', async () => (await get(source))['state'] === 'updating');
  await new Promise((resolve) => setTimeout(resolve, 50));
  gate.resolve();
  expect((await done).status).toBe(200);
  expect(called).toEqual(['activate g1', 'ran', 'deactivate g1', 'activate g2']);
});

test('a source with custom responses answers with the new code while it activates', async () => {
  const props = [{ ...http, customResponse: true }];
  const answering =
    (by: string): FakeFunction =>
    ({ respond }) =>
      respond({ status: 200, headers: {}, bodyBase64: Buffer.from(by).toString('base64') });
  const seen: string[] = [];
  const source = await deploy(version('h1', { props, run: answering('h1') }));
  const activate: FakeFunction = async () => void seen.push((await send(source, {})).text);
  const handshaking = version('h2', { props, run: answering('h2'), hooks: { activate } });
  expect((await put(source, { component_code: handshaking })).status).toBe(200);
  expect((await put(source, { active: false })).status).toBe(200);
  expect((await send(source, {})).status).toBe(404);
  expect((await put(source, { active: true })).status).toBe(200);
  expect(seen).toEqual(['h2', 'h2']);
});

test('an update can change the interface, and can deploy new code to an inactive source', async () => {
  const source = await deploy(version('i1'));
  const props = [{ name: 'timer', type: '$.interface.timer', default: { intervalSeconds: 3_600 } }];
  const updated = sourceOf(await put(source, { component_code: version('i2', { props }) }));
  expect(updated.configured_props).toEqual({ timer: { cron: null, interval_seconds: 3_600 } });
  expect(await post(source, {})).toBe(404);
  expect(Number(updated['next_run_at_ms'])).toBeGreaterThan(Date.now() + 3_500_000);
  const soon = { timer: { intervalSeconds: 60 } };
  const sooner = sourceOf(await put(source, { configured_props: soon }));
  expect(sooner.configured_props['timer']).toMatchObject({ interval_seconds: 60 });
  expect(Number(sooner['next_run_at_ms'])).toBeLessThan(Date.now() + 61_000);
  called.splice(0);
  const off = sourceOf(await put(source, { component_code: version('i3'), active: false }));
  expect(off).toMatchObject({ state: 'inactive', version: 'i3', next_run_at_ms: null });
  expect(called).toEqual(['deactivate i2']);
  expect(sourceOf(await put(source, { component_code: version('i4') }))).toMatchObject({ state: 'inactive' });
  expect(called).toHaveLength(1);
  expect(sourceOf(await put(source, { active: true }))).toMatchObject({ state: 'active', version: 'i4' });
  expect(await post(source, { n: 1 })).toBe(200);
  expect(await emitted(source, 1)).toEqual([{ n: 1, by: 'i4' }]);
});

test('changes the given settings without a hook, keeps the others, and removes a rate limit with 0', async () => {
  const source = await deploy(version('s1'), { timeout_ms: 5_000, rate_limit: 10 });
  called.splice(0);
  const updated = await put(source, { memory_mb: 64, rate_limit: 0, emit_on_deploy: false });
  const settings = { timeout_ms: 5_000, memory_mb: 64, rate_limit: null, emit_on_deploy: false };
  expect([updated.status, sourceOf(updated)]).toMatchObject([200, settings]);
  expect(called).toEqual([]);
  expect(await get(source)).toMatchObject({ ...settings, version: 's1', state: 'active' });
  const refused = await put(source, {
    component_code: version('s2', { hooks: { activate: throwing } }),
    timeout_ms: 9_000,
  });
  expect(refused.status).toBe(400);
  expect(await get(source)).toMatchObject(settings);
  expect((await put(source, { timeout_ms: 10 })).status).toBe(400);
});
