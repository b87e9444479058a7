import { jest } from '@jest/globals';
import { until } from '../../../../../../test/support/until.ts';
import type { Manifest } from '../../../../../domain/component/manifest.ts';
import type { JsonObject } from '../../../../../domain/json.ts';
import type { FakeFunction } from '../../../../../sandbox/sandbox.fake.ts';
import { TestBed } from '../../../test-bed.fake.ts';
import type { Answer } from '../../../test-bed.fake.ts';

interface Source {
  readonly id: string;
  readonly configured_props: Readonly<Record<string, { readonly endpoint_url: string }>>;
  readonly [name: string]: unknown;
}

const manifest: Manifest = {
  name: 'Echo',
  version: '0.0.1',
  type: 'source',
  props: [{ name: 'http', type: '$.interface.http' }],
  hooks: ['activate', 'deactivate'],
  methods: [],
  additionalProps: false,
};
const run: FakeFunction = ({ event, emit }) => emit({ event: (event as { body: JsonObject }).body });
const throwing: FakeFunction = ({ console }) => {
  console('trying');
  throw new TypeError('no such account');
};

let bed: TestBed;
const called: string[] = [];
beforeAll(async () => {
  bed = await TestBed.start();
  const noting =
    (text: string): FakeFunction =>
    ({ console }) => {
      called.push(text);
      console(text);
    };
  bed.components.set('echo', { manifest, run, hooks: { activate: noting('up'), deactivate: noting('down') } });
}, 60_000);
afterAll(() => bed?.stop());

const sourceOf = (answer: Answer): Source => answer.body.data as Source;
const deploy = async (component_code: string, more: object = {}): Promise<Source> =>
  sourceOf(await bed.call('POST', '/v1/sources', { body: { component_code, ...more } }));
const put = ({ id }: Source, body: object): Promise<Answer> => bed.call('PUT', `/v1/sources/${id}`, { body });
const get = async ({ id }: Source): Promise<Source> => sourceOf(await bed.call('GET', `/v1/sources/${id}`));
const post = async (source: Source, body: unknown): Promise<number> =>
  (await bed.send('POST', new URL(source.configured_props['http']?.endpoint_url ?? '').pathname, { body })).status;
const emitted = async ({ id }: Source): Promise<unknown[]> => {
  const query = { expand: 'event', limit: '100' };
  const { data } = (await bed.call('GET', `/v1/sources/${id}/event_summaries`, { query })).body;
  return (data as { event: unknown }[]).map(({ event }) => event).reverse();
};

test('renaming a source also changes its slug', async () => {
  await deploy('echo', { name: 'Taken' });
  const source = await deploy('echo', { name: 'Before' });
  called.length = 0;
  const answer = await put(source, { name: 'Taken' });
  expect([answer.status, sourceOf(answer)['name'], sourceOf(answer)['name_slug']]).toEqual([200, 'Taken', 'taken-1']);
  expect(sourceOf(await put(source, { name: 'Taken' }))['name_slug']).toBe('taken-1');
  expect(sourceOf(await put(source, {}))).toMatchObject({ state: 'active', name: 'Taken' });
  expect(called).toEqual([]);
  expect((await deploy('echo', { name: 'Before' }))['name_slug']).toBe('before');
});

test('an inactive source has no endpoint and cannot run, but requests accepted before still run', async () => {
  const source = await deploy('echo');
  await Promise.all([1, 2, 3].map((n) => post(source, { n })));
  const off = await put(source, { active: false });
  expect([off.status, sourceOf(off)]).toEqual([200, expect.objectContaining({ active: false, state: 'inactive' })]);
  expect(sourceOf(off)['observations']).toMatchObject([{ msg: 'down' }]);
  expect(await post(source, {})).toBe(404);
  const now = await bed.call('POST', `/v1/sources/${source.id}/run`, { body: {} });
  const error = 'record not found: the source is inactive';
  expect([now.status, now.body]).toMatchObject([404, { error, details: { state: 'inactive' } }]);
  await until('what was accepted', async () => (await emitted(source)).length === 3);
  called.length = 0;
  expect(sourceOf(await put(source, { active: true }))).toMatchObject({ active: true, state: 'active' });
  expect(called).toEqual(['up']);
  expect(await post(source, { n: 4 })).toBe(200);
  await until('the next event', async () => (await emitted(source)).length === 4);
  expect((await put(source, { active: true })).status).toBe(200);
  expect(called).toEqual(['up']);
});

test('a deactivate that throws prevents an update or delete, unless hook errors are ignored', async () => {
  bed.components.set('clinging', { manifest, run, hooks: { deactivate: throwing } });
  const source = await deploy('clinging');
  const refused = await put(source, { active: false, name: 'Other' });
  expect([refused.status, refused.body.code]).toEqual([400, 'hook_failed']);
  expect(refused.body.error).toContain('no such account');
  expect(refused.body.details).toMatchObject({ source_id: source.id, console: [{ text: 'trying' }] });
  expect(await get(source)).toMatchObject({ active: true, name: 'Echo', refusal: { code: 'hook_failed' } });
  const refusedDelete = await bed.call('DELETE', `/v1/sources/${source.id}`);
  expect([refusedDelete.status, refusedDelete.body.code, refusedDelete.body.details]).toMatchObject([
    400,
    'hook_failed',
    { name: 'TypeError' },
  ]);
  expect(await post(source, {})).toBe(200);
  expect((await put(source, { active: false, ignore_hook_errors: true })).status).toBe(200);
  expect(await post(source, {})).toBe(404);
  expect((await put(source, { active: true })).status).toBe(200);
  const query = { ignore_hook_errors: 'true' };
  expect((await bed.call('DELETE', `/v1/sources/${source.id}`, { query })).status).toBe(204);
});

test('a source stays inactive when its activate throws', async () => {
  const hooks = { activate: (() => {}) as FakeFunction };
  bed.components.set('moody', { manifest, run, hooks });
  const source = await deploy('moody');
  await put(source, { active: false });
  hooks.activate = throwing;
  const refused = await put(source, { active: true });
  expect([refused.status, refused.body.code]).toEqual([400, 'hook_failed']);
  expect(await get(source)).toMatchObject({ active: false, state: 'inactive', refusal: { code: 'hook_failed' } });
  expect(await post(source, {})).toBe(404);
  hooks.activate = () => {};
  expect(sourceOf(await put(source, { active: true }))['refusal']).toBeUndefined();
});

test('if neither revision can be activated, the answer says why for both', async () => {
  const hooks = { activate: (() => {}) as FakeFunction };
  bed.components.set('ailing', { manifest, run, hooks });
  bed.components.set('worse', { manifest, run, hooks: { activate: throwing } });
  const source = await deploy('ailing');
  hooks.activate = throwing;
  const refused = await put(source, { component_code: 'worse' });
  expect([refused.status, refused.body.error]).toEqual([
    400,
    'The hook activate failed: TypeError: no such account. The revision before could not be activated again, so the source is inactive: TypeError: no such account',
  ]);
});

test('during a slow update, which gets 202, other changes get 409 and requests wait for its end', async () => {
  const waiting = Promise.withResolvers<void>();
  bed.components.set('slow', { manifest, run, hooks: { deactivate: () => waiting.promise } });
  const source = await deploy('slow');
  const pending = await bed.answeringEarly(() => put(source, { active: false }));
  expect([pending.status, sourceOf(pending)]).toEqual([
    202,
    expect.objectContaining({ active: true, state: 'updating' }),
  ]);
  for (const answer of [await put(source, { name: 'x' }), await bed.call('DELETE', `/v1/sources/${source.id}`)])
    expect([answer.status, answer.body.code]).toEqual([409, 'busy']);
  const webhook = await bed.call('POST', '/v1/webhooks', { body: { url: 'https://example.com/' } });
  const triple = { emitter_id: source.id, listener_id: (webhook.body.data as { id: string }).id };
  expect((await bed.call('POST', '/v1/subscriptions', { body: triple })).status).toBe(200);
  expect(await post(source, { n: 1 })).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await emitted(source)).toEqual([]);
  waiting.resolve();
  await until('the end', async () => (await get(source))['state'] === 'inactive');
  await until('what waited', async () => (await emitted(source)).length === 1);
});

test('an update that has ended gets 200 and its own console while another one is under way', async () => {
  const gate = Promise.withResolvers<void>();
  const hooks: { deactivate: FakeFunction } = { deactivate: ({ console }) => console('first') };
  bed.components.set('busy', { manifest, run, hooks });
  const source = await deploy('busy');
  const { commands } = bed.parts;
  const send = commands.send.bind(commands);
  let other: Promise<Answer> | undefined;
  const spy = jest.spyOn(commands, 'send').mockImplementationOnce(async (...asked) => {
    const outcome = await send(...asked);
    hooks.deactivate = () => gate.promise;
    other = put(source, { active: false });
    await until('the other update', async () => (await get(source))['state'] === 'updating');
    return outcome;
  });
  const answer = await put(source, { component_code: 'busy', name: 'First' });
  spy.mockRestore();
  const expected = { name: 'First', state: 'updating', observations: [{ msg: 'first' }] };
  expect([answer.status, sourceOf(answer)]).toMatchObject([200, expected]);
  gate.resolve();
  expect((await other)?.status).toBe(200);
});

test('answers 400 to an update with invalid fields, and 404 to one of an unknown source', async () => {
  const source = await deploy('echo');
  for (const body of [{ active: 'no' }, { name: '' }, { ignore_hook_errors: 1 }, { colour: 'red' }]) {
    const answer = await put(source, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  }
  expect((await put({ ...source, id: 'dc_0000000000000000' }, { active: false })).status).toBe(404);
});
