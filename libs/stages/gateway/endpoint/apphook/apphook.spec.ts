// Events of an app that are sent to its source, through all stages and with scripted components.
import { gzipSync } from 'node:zlib';
import { until } from '../../../../../test/support/until.ts';
import type { Manifest, PropDefinition } from '../../../../domain/component/manifest.ts';
import type { Trigger } from '../../../../domain/source/messages.ts';
import type { FakeCall, FakeComponent } from '../../../../sandbox/sandbox.fake.ts';
import { TestBed } from '../../test-bed.fake.ts';
import type { Answer } from '../../test-bed.fake.ts';

interface Source {
  readonly id: string;
  readonly configured_props: Readonly<
    Record<string, { readonly endpoint_url: string; readonly event_names?: unknown }>
  >;
}

let bed: TestBed;
const seen: unknown[] = [];
beforeAll(async () => {
  bed = await TestBed.start({ limits: { outcomeMs: 20_000 } });
}, 60_000);
beforeEach(() => seen.splice(0));
afterAll(() => bed?.stop());

const apphook: PropDefinition = { name: 'apphook', type: '$.interface.apphook', appProp: 'slack' };
const asking: PropDefinition = { ...apphook, remoteEventNames: true };
const naming =
  (...names: readonly string[]) =>
  ({ emit }: FakeCall): void =>
    emit({ event: names });

function component(name: string, props: readonly PropDefinition[], hooks: FakeComponent['hooks'] = {}): string {
  const asks = props.some(({ remoteEventNames }) => remoteEventNames === true);
  const manifest: Manifest = {
    name,
    version: '1',
    type: 'source',
    props,
    methods: [],
    additionalProps: false,
    hooks: asks ? ['event_names', 'activate'] : [],
  };
  const run = ({ event, emit }: FakeCall): void => {
    seen.push(event);
    emit({ event });
  };
  bed.components.set(name, { manifest, run, hooks: { activate: () => void seen.push('activate'), ...hooks } });
  return name;
}

const sourceOf = (answer: Answer): Source => answer.body.data as Source;
const deploy = (component_code: string): Promise<Answer> =>
  bed.call('POST', '/v1/sources', { body: { component_code } });
const pathOf = ({ configured_props: { apphook: prop } }: Source): string => new URL(prop?.endpoint_url ?? '').pathname;
const sendEvent = (source: Source, body: unknown, query: Record<string, string> = {}): Promise<Answer> =>
  bed.send('POST', pathOf(source), { body, query });

async function untilSeen(count: number): Promise<void> {
  await until(`${count} events`, () => seen.length >= count);
  expect(seen).toHaveLength(count);
}

test('the source shows its endpoint and accepted event names, and run gets the raw event', async () => {
  const source = sourceOf(await deploy(component('asking', [asking], { event_names: naming('message', 'C1') })));
  expect(source.configured_props).toEqual({
    apphook: { endpoint_url: expect.stringMatching(/\/e\/[0-9a-z]{26}\/apphook$/), event_names: ['message', 'C1'] },
  });
  const named = await sendEvent(source, { type: 'message', text: 'hi' }, { event_name: 'message' });
  expect([named.status, named.body]).toEqual([200, { data: { accepted: true } }]);
  expect((await sendEvent(source, { type: 'unnamed' })).body).toEqual({ data: { accepted: true } });
  expect((await sendEvent(source, { type: 'reaction' }, { event_name: 'reaction' })).body).toEqual({
    data: { accepted: false },
  });
  await untilSeen(3);
  expect(seen).toEqual(['activate', { type: 'message', text: 'hi' }, { type: 'unnamed' }]);
  const triggers = bed.log.records('triggers') as unknown as readonly Trigger[];
  expect(triggers.filter(({ data }) => data.kind === 'apphook').map(({ version }) => version)).toEqual([7, 7]);
  const runs = async (): Promise<readonly unknown[]> =>
    (await bed.call('GET', `/v1/sources/${source.id}/runs`, { query: { kind: 'apphook' } })).body
      .data as readonly unknown[];
  await until('two runs', async () => (await runs()).length >= 2);
  expect(await runs()).toMatchObject([
    { kind: 'apphook', outcome: 'succeeded' },
    { kind: 'apphook', outcome: 'succeeded' },
  ]);
});

test('only POST to the apphook path accepts events, and all other paths belong to an http interface, if there is one', async () => {
  const alone = sourceOf(await deploy(component('alone', [{ ...apphook, eventNames: ['a'] }])));
  expect(alone.configured_props['apphook']?.event_names).toEqual(['a']);
  const path = pathOf(alone);
  expect((await bed.send('POST', path.replace(/\/apphook$/, ''), { body: {} })).status).toBe(404);
  expect((await bed.send('POST', `${path}/more`, { body: {} })).status).toBe(404);
  const got = await bed.send('GET', path);
  expect([got.status, got.body.code, got.headers['allow']]).toEqual([405, 'method_not_allowed', 'POST']);
  const text = await bed.send('POST', path, { body: Buffer.from('type=message') });
  expect([text.status, text.body.code]).toEqual([400, 'invalid_request']);
  const encoded = { body: gzipSync('{"n":0}'), headers: { 'content-encoding': 'gzip' } };
  expect((await bed.send('POST', path, encoded)).body).toEqual({ data: { accepted: true } });
  const http = { name: 'http', type: '$.interface.http' };
  const both = sourceOf(await deploy(component('both', [http, apphook])));
  expect((await bed.send('POST', `${pathOf(both)}/more`, { body: { n: 1 } })).status).toBe(200);
  expect((await sendEvent(both, { n: 2 })).status).toBe(200);
  const plain = sourceOf(await deploy(component('plain', [http])));
  const [url] = Object.values(plain.configured_props).map(({ endpoint_url }) => new URL(endpoint_url).pathname);
  expect((await bed.send('POST', `${url}/apphook`, { body: { n: 3 } })).status).toBe(200);
  await untilSeen(4);
  expect(seen).toMatchObject([{ n: 0 }, { body: { n: 1 } }, { n: 2 }, { path: '/apphook', body: { n: 3 } }]);
});

test('new code names its events again, an inactive source accepts none, and a bad event_names hook fails the deploy', async () => {
  const source = sourceOf(await deploy(component('v1', [asking], { event_names: naming('old') })));
  const put = (body: object): Promise<Answer> => bed.call('PUT', `/v1/sources/${source.id}`, { body });
  const updated = await put({ component_code: component('v2', [asking], { event_names: naming('new') }) });
  expect(sourceOf(updated).configured_props['apphook']?.event_names).toEqual(['new']);
  expect((await sendEvent(source, {}, { event_name: 'old' })).body).toEqual({ data: { accepted: false } });
  expect((await put({ active: false })).status).toBe(200);
  expect((await sendEvent(source, {}, { event_name: 'new' })).status).toBe(404);
  const throwing = (): never => {
    throw new Error('no such channel');
  };
  const thrown = await deploy(component('bad1', [asking], { event_names: throwing }));
  expect([thrown.status, thrown.body.code, thrown.body.error]).toEqual([
    400,
    'hook_failed',
    expect.stringContaining('event_names failed: Error: no such channel'),
  ]);
  const wrong = await deploy(component('bad2', [asking], { event_names: ({ emit }) => emit({ event: 'message' }) }));
  expect(wrong.body.error).toContain('eventNames must be a list of texts');
  const events = bed.log.records('channels').map(({ data }) => (data as { readonly event?: unknown }).event);
  expect(events.filter(Array.isArray)).toEqual([]);
});
