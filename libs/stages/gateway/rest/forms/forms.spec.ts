import { setTimeout as sleep } from 'node:timers/promises';
import type { Manifest, PropDefinition } from '../../../../domain/component/manifest.ts';
import type { RunEvent } from '../../../../domain/channel/messages.ts';
import { optionsMax } from '../../../../domain/call/form.ts';
import { FakeEnd } from '../../../../sandbox/sandbox.fake.ts';
import type { FakeCall, FakeFunction } from '../../../../sandbox/sandbox.fake.ts';
import { TestBed } from '../../test-bed.fake.ts';
import type { Answer } from '../../test-bed.fake.ts';

const token: PropDefinition = { name: 'token', type: 'string', secret: true };
const list: PropDefinition = { name: 'list', type: 'string', remoteOptions: true, useQuery: true };
const repo: PropDefinition = { name: 'repo', type: 'string', reloadProps: true, optional: true };
const http: PropDefinition = { name: 'http', type: '$.interface.http', dynamic: true };
const branch: PropDefinition = { name: 'branch', type: 'string', optional: true, dynamic: true };
const manifest: Manifest = {
  name: 'Form',
  version: '0.0.1',
  type: 'source',
  props: [token, list, repo],
  hooks: [],
  methods: [],
  additionalProps: true,
  sampleEmit: false,
};

const seen: FakeCall[] = [];
const answerWith =
  (value: (call: FakeCall) => unknown): FakeFunction =>
  (call) => {
    seen.push(call);
    call.console(`asked with ${String(call.props['token'])}`);
    call.emit({ event: JSON.parse(JSON.stringify(value(call))) as null });
  };
const throwing: FakeFunction = () => {
  throw new TypeError('no list today');
};
const hanging = Promise.withResolvers<void>();

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start();
  const allProps = { props: [token, list, repo, http, branch] };
  const forms = {
    configure: answerWith(({ event }) => ({ options: [{ label: 'One', value: 1 }, 'two'], context: { was: event } })),
    props: answerWith(({ props }) => (props['repo'] === 'mine' ? allProps : { props: manifest.props })),
  };
  bed.components.set('form', { manifest, forms, run: ({ emit, props }) => emit({ event: props }) });
  const texts = { configure: answerWith(() => ({ options: ['a', 'b'] })), props: throwing };
  bed.components.set('texts', { manifest, forms: texts });
  bed.components.set('throwing', { manifest, forms: { configure: throwing, props: throwing } });
  const many = answerWith(() => ({ options: Array.from({ length: optionsMax + 1 }, () => 'x') }));
  bed.components.set('many', { manifest, forms: { configure: many } });
  const lost: FakeFunction = () => {
    throw new FakeEnd('lost');
  };
  bed.components.set('lost', { manifest, forms: { configure: lost } });
  bed.components.set('slow', { manifest, forms: { configure: () => hanging.promise } });
});
afterAll(async () => {
  hanging.resolve();
  await bed?.stop();
});
beforeEach(() => void seen.splice(0));

const secret = 'tok_0123456789';
const ask = (path: string, body: object): Promise<Answer> => bed.call('POST', `/v1/${path}`, { body });
const configure = (component_code: string, more: object = {}): Promise<Answer> =>
  ask('components/configure', { component_code, prop_name: 'list', configured_props: { token: secret }, ...more });
const logText = (): string =>
  JSON.stringify(['triggers', 'runs', 'state'].map((topic) => bed.log.records(topic as 'triggers')));

test('returns options of a component before it is deployed, and leaves no secret on the log', async () => {
  const answer = await configure('form', { page: 2, prev_context: { cursor: 'c' }, query: 'q' });
  expect(answer.body).toMatchObject({
    data: {
      options: [
        { label: 'One', value: 1 },
        { label: 'two', value: 'two' },
      ],
      context: { was: { propName: 'list', page: 2, prevContext: { cursor: 'c' }, query: 'q' } },
      observations: [{ msg: 'asked with [secret]' }],
      errors: [],
    },
  });
  expect(answer.status).toBe(200);
  expect(seen.map(({ props }) => props)).toEqual([{ token: secret }]);
  expect(logText()).not.toContain(secret);
  expect(bed.log.records('runs').filter(({ key }) => key.startsWith('form_'))).toEqual([]);
});

test('returns options that are plain texts as string_options, the first page by default', async () => {
  const answer = await configure('texts', { configured_props: {} });
  expect(answer.body.data).toMatchObject({ string_options: ['a', 'b'], context: null });
  expect(answer.body.data).not.toHaveProperty('options');
  expect(seen[0]?.event).toEqual({ propName: 'list', page: 0, prevContext: {} });
});

test('returns the props for the given values, with the same id for the same props', async () => {
  const props = (configured_props: object): Promise<Answer> =>
    ask('components/props', { component_code: 'form', configured_props });
  const [mine, again, other] = [await props({ repo: 'mine' }), await props({ repo: 'mine' }), await props({})];
  const idOf = (answer: Answer) => (answer.body.data as { dynamic_props: { id: string } }).dynamic_props.id;
  expect(mine.body.data).toMatchObject({ dynamic_props: { configurable_props: [token, list, repo, http, branch] } });
  expect(other.body.data).toMatchObject({ dynamic_props: { configurable_props: [token, list, repo] } });
  expect(idOf(mine)).toMatch(/^dyp_/);
  expect([idOf(again) === idOf(mine), idOf(other) === idOf(mine)]).toEqual([true, false]);
});

test.each<[string, object, string, string]>([
  ['throwing', {}, 'call_failed', 'The options could not be read: TypeError: no list today'],
  ['many', {}, 'call_failed', `The component returned ${optionsMax + 1} options at once`],
  ['no such code', {}, 'call_failed', 'The options could not be read: SyntaxError'],
  ['form', { configured_props: { token: 5 } }, 'props_invalid', 'Prop "token" must be a string'],
  ['form', { configured_props: { $x: 1 } }, 'invalid_request', 'must not begin with $'],
  ['form', { prop_name: undefined }, 'invalid_request', 'prop_name'],
  ['form', { page: -1 }, 'invalid_request', 'page'],
])('refuses the component %s with %j as %s', async (code, more, reason, message) => {
  const answer = await configure(code, more);
  expect([answer.status, answer.body.code]).toEqual([400, reason]);
  expect(answer.body.error).toContain(message);
});

test('does not repeat a lost call, and gives up a call that takes too long', async () => {
  const lost = await configure('lost');
  expect([lost.status, lost.body.code]).toEqual([503, 'call_lost']);
  const slow = await bed.withLimits({ callMs: 300, installingMs: 300 }, () => configure('slow'));
  expect([slow.status, slow.body.code]).toEqual([504, 'call_timed_out']);
});

test('waits while packages are installed, and gives the call its full time afterwards', async () => {
  const installed = Promise.withResolvers<void>();
  const { packages } = bed;
  const { build } = packages;
  packages.build = async (...given) => {
    await installed.promise;
    return build.apply(packages, given);
  };
  const callMs = 1_000;
  const answer = await bed.withLimits({ callMs }, async () => {
    const waiting = configure('form');
    await sleep(callMs + 200);
    installed.resolve();
    return waiting;
  });
  expect(answer.status).toBe(200);
  packages.build = build;
});

const deploy = (configured_props: object, component_code = 'form'): Promise<Answer> =>
  bed.call('POST', '/v1/sources', { body: { component_code, configured_props } });

test('a deploy asks for the dynamic props of its values, and the source gets them', async () => {
  const props = { token: secret, list: 'a', repo: 'mine', branch: 'main' };
  const deployed = await deploy(props);
  expect(deployed.body).toMatchObject({ data: { configured_props: { http: {}, branch: 'main' } } });
  const { id } = deployed.body.data as { id: string };
  const refused = await deploy({ ...props, repo: 'yours' });
  expect(refused.body).toMatchObject({ code: 'props_invalid', details: { problems: [{ field: 'branch' }] } });
  expect((await deploy({ repo: 'mine' })).body.error).not.toContain('branch');
  await bed.call('POST', `/v1/sources/${id}/run`, { body: { wait: 1 } });
  const [event] = bed.log.records('channels').slice(-1);
  expect(event?.data).toMatchObject({ event: { branch: 'main', http: {} } });

  const changed = await bed.call('PUT', `/v1/sources/${id}`, { body: { configured_props: { list: 'b' } } });
  expect(changed.body).toMatchObject({ data: { configured_props: { list: 'b', branch: 'main' } } });
  const away = await bed.call('PUT', `/v1/sources/${id}`, { body: { configured_props: { repo: 'yours' } } });
  expect(away.body.data).toMatchObject({ configured_props: { repo: 'yours', list: 'b' } });
  expect((away.body.data as { configured_props: object }).configured_props).not.toHaveProperty('branch');
});

test('a form of a source uses its own values under those of the form, and is recorded as a run', async () => {
  const { id } = (await deploy({ token: secret, list: 'a' })).body.data as { id: string };
  seen.splice(0);
  const answer = await ask(`sources/${id}/configure`, { prop_name: 'list', configured_props: { list: 'b' } });
  expect([answer.status, seen[0]?.props]).toEqual([200, { token: secret, list: 'b' }]);
  expect(answer.body.data).toMatchObject({ observations: [{ msg: 'asked with [secret]' }] });
  const props = await ask(`sources/${id}/props`, { configured_props: { repo: 'mine' } });
  expect(props.body.data).toMatchObject({ dynamic_props: { configurable_props: { length: 5 } } });
  const kinds = (bed.log.records('runs') as unknown as RunEvent[]).filter(({ data }) => data.sourceId === id);
  expect(kinds.map(({ data, version }) => [data.kind, data.outcome, data.emitted, version]).slice(-2)).toEqual([
    ['configure', 'succeeded', [], 7],
    ['props', 'succeeded', [], 7],
  ]);
  expect(bed.log.records('channels').filter(({ key }) => key === id)).toEqual([]);
});

test('a deploy reports the error thrown by additionalProps', async () => {
  const answer = await deploy({ token: secret, list: 'a' }, 'throwing');
  expect([answer.status, answer.body.code]).toEqual([400, 'hook_failed']);
  expect(answer.body.error).toBe('additionalProps failed: TypeError: no list today');
});
