// The commands of `pd` through pipes, as scripts use them, against one service, in the order of a first day.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import { createClient } from '../../libs/client/index.ts';
import type {
  Account,
  Delivery,
  EventSummary,
  NewApiKey,
  NewWebhook,
  Published,
  Run,
  Source,
  Subscription,
} from '../../libs/client/index.ts';
import { freePort } from '../support/processes/free-port.ts';
import { LocalRegistry } from '../../libs/packages/npm/fixture/local-registry.ts';
import { Product } from '../support/product.ts';
import { Receiver, verify } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { environmentOf, pd, pdPath } from './running/pd.ts';
import type { CommandResult, CommandOptions } from './running/pd.ts';

/** Thirty calls, each in a process of its own, on a busy machine. */
jest.setTimeout(120_000);

const component = `export default { key: 'orders', name: 'Orders', version: '1',
  props: { http: '$.interface.http', minimum: { type: 'integer', min: 1 }, token: { type: 'string', secret: true } },
  async run(event) {
    console.log('minimum', this.minimum);
    if (event.body?.fail) throw new TypeError('no luck');
    this.$emit(event.body, { summary: 'an \\u001b[31morder' });
  } };`;

let registry: LocalRegistry;
let product: Product;
let receiver: Receiver;
let dir: string;
let env: Record<string, string>;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pd-'));
  registry = await LocalRegistry.start();
  product = await Product.start({ env: { npm_config_registry: registry.url } });
  receiver = await Receiver.start();
  env = { XDG_CONFIG_HOME: dir, HOME: dir };
  await writeFile(join(dir, 'orders.mjs'), component);
}, 60_000);
afterAll(async () => {
  await receiver.stop();
  await product.remove();
  await registry.close();
  await rm(dir, { recursive: true });
});

const call = (args: string, options: Partial<CommandOptions> = {}): Promise<CommandResult> =>
  pd(args === '' ? [] : args.split(' '), { env, cwd: dir, ...options });

/** The JSON that a successful call prints. */
async function json<T>(args: string, options: Partial<CommandOptions> = {}): Promise<T> {
  const { code, stdout, stderr } = await call(`${args} --json`, options);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr });
  return JSON.parse(stdout) as T;
}

test('a command without a key says how to log in, and login stores the key from stdin with mode 600', async () => {
  expect(await call('list sources')).toEqual({
    code: 3,
    stdout: '',
    stderr: 'error: You are not logged in.\nRun `pd login`, or set PD_API_KEY.\n',
  });
  const key = await product.apiKey();
  const login = await call(`login --url ${product.baseUrl}`, { stdin: `${key}\n` });
  expect(login).toEqual({
    code: 0,
    stdout: `Logged in as owner (owner@localhost) at ${product.baseUrl}\n`,
    stderr: '',
  });
  const file = join(dir, 'wellspring', 'config.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    profiles: { default: { url: product.baseUrl, api_key: key } },
  });
  expect(await json('whoami')).toMatchObject({ username: 'owner', url: product.baseUrl, profile: 'default' });
  const all = await Promise.all(['whoami', 'doctor', 'list sources --json'].map((args) => call(args)));
  expect(all.filter(({ stdout, stderr }) => (stdout + stderr).includes(key))).toEqual([]);
});

test('exits with 3 for an invalid key, 1 without an answer, 4 for unknown names, 2 for wrong arguments', async () => {
  const wrongKey = { env: { ...env, PD_API_KEY: 'pd_wrong' } };
  const nobody = { env: { ...env, PD_URL: `http://127.0.0.1:${await freePort()}`, PD_API_KEY: 'pd_any' } };
  const codes = await Promise.all([
    call('whoami', wrongKey),
    call('login', { ...wrongKey, stdin: 'pd_wrong' }),
    call('whoami', nobody),
    call('doctor', nobody),
    call('doctor', wrongKey),
    call('describe nothing'),
    call('events dc_0000000000000000'),
    call('subs deliveries sub_0000000000000000'),
    call('deploy no-such-key'),
    call('frobnicate'),
    call('events'),
    call('list nonsense'),
    call('list'),
    call('events orders -n many'),
    call('delete'),
    call('whoami -p other'),
    call('history export /no/such/folder/file'),
    call('help'),
    call('--version'),
  ]);
  expect(codes.map(({ code }) => code)).toEqual([3, 3, 1, 1, 1, 4, 4, 4, 4, 2, 2, 2, 2, 2, 2, 3, 2, 0, 0]);
  for (const { code, stdout, stderr } of codes.filter((one) => one.code !== 0)) {
    if (!stdout.includes('failed ')) expect([code, stdout]).toEqual([code, '']);
    expect(stderr + stdout).toMatch(/error: |failed /);
  }
});

test('a full disk under its output is told on stderr, and exits with 1', async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [pdPath, 'help'], { stdio: ['ignore', full, 'pipe'], env: environmentOf(env) });
  closeSync(full);
  const [stderr, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'close')]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('The output could not be written: ENOSPC')]);
});

test('deploy passes props with their types, and names a missing one', async () => {
  const missing = await call('deploy orders.mjs --prop minimum=5');
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('Give props by --prop token=VALUE')]);
  const source = await json<Source>('deploy orders.mjs --name Shop --prop minimum=5 --props -', {
    stdin: '{ "token": "sesame" }',
  });
  expect(source).toMatchObject({ name: 'Shop', state: 'active', configured_props: { minimum: 5, token: '[secret]' } });
  expect(await json('describe shop')).toEqual({ ...source, observations: undefined });
  expect(await json('list st')).toEqual([
    { id: source.id, name: 'Shop', sse: `${product.baseUrl}/v1/sources/${source.id}/sse` },
  ]);
  const listed = await call('list sources');
  expect(listed.stdout).toMatch(/^ID +NAME +STATE +LAST EVENT +LAST RUN +ENDPOINT\ndc_\w{16} +Shop +active /);
  const { id } = await json<Source>('deploy orders.mjs --name Shop --prop minimum=5 --prop token=sesame');
  expect((await call('list sources')).stdout.match(/Shop \(shop(-1)?\) +active/g)).toHaveLength(2);
  expect(await json('rm shop-1 -y')).toEqual({ id, deleted: true });
  expect(await json('list components')).toEqual([]);
});

test('deploy shows the place of a syntax error and of an import of a missing file', async () => {
  await writeFile(join(dir, 'broken.mjs'), 'export default {\n  name: oops oops\n};');
  const broken = await call('deploy broken.mjs');
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringMatching(/SyntaxError[^]*\(line 2, column 14\)$/m)]);
  await writeFile(join(dir, 'parts.mjs'), "import { a } from './a.mjs';\nexport default {};");
  const parts = await call('deploy parts.mjs');
  expect([parts.code, parts.stderr]).toEqual([
    1,
    expect.stringMatching(/No file of the component is "\.\/a\.mjs"[^]*\(line 1, column 19\)$/m),
  ]);
});

test('run shows the run with its console and exits with 1 if it failed, and logs filters runs', async () => {
  const good = await call('run shop --event {"body":{"id":1}}');
  expect(good).toMatchObject({ code: 0, stdout: expect.stringMatching(/succeeded {2}manual[^]*\n {2}minimum 5\n$/) });
  const bad = await call('run shop --event-file -', { stdin: '{"body":{"fail":true}}' });
  expect(bad).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/failed[^]*TypeError: no luck \(line 5, column \d+\)/),
  });
  const failed = await json<readonly Run[]>('logs shop --failed');
  expect(failed.map(({ outcome, error }) => [outcome, error?.message])).toEqual([['failed', 'no luck']]);
  const countOf = async (args: string): Promise<number> => (await json<readonly Run[]>(`logs shop ${args}`)).length;
  expect([
    await countOf('--kind manual --since 1h'),
    await countOf('--kind timer'),
    await countOf('--until 1h'),
  ]).toEqual([2, 0, 0]);
  expect((await call('logs shop --kind timer')).stderr).toBe('There are no such runs.\n');
  expect((await call('logs shop --since yesterday')).code).toBe(2);
  expect((await json<readonly Run[]>('logs shop -n 2')).map(({ outcome }) => outcome)).toEqual(['succeeded', 'failed']);
});

test('trigger sends a saved request to the endpoint, and events escapes control characters', async () => {
  await writeFile(join(dir, 'order.http'), 'POST /new?test=1\ncontent-type: application/json\n\n{"id":2}');
  expect(await json('trigger shop order.http')).toMatchObject({ status: 200 });
  await until('the event to be listed', async () => (await json<readonly EventSummary[]>('events shop')).length === 2);
  const [event] = await json<readonly EventSummary[]>('events shop -n 1');
  expect(event).toMatchObject({ event: { id: 2 }, metadata: { summary: 'an \u001b[31morder' } });
  const { stdout } = await call('events shop -n 1');
  expect(stdout).toContain(String.raw`an \u001b[31morder`);
  expect(stdout).not.toContain('\u001b');
  expect((await call('trigger shop -X GET --path /x -H x-pd-notrigger:1')).code).toBe(0);
  const unreadable = await call('trigger shop nothing.http');
  expect([unreadable.code, unreadable.stderr]).toEqual([2, expect.stringContaining('or - for stdin')]);
  const bodied = await call('trigger shop order.http -X GET');
  expect([bodied.code, bodied.stderr]).toEqual([2, expect.stringContaining('-X POST')]);
});

test('emit publishes an event on a channel, once for each id, and no event for a source that runs code', async () => {
  const client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
  const { id: channel } = await json<Source>('deploy --channel --name Payments');
  const first = await json<Published>('emit payments --id inv_1 --channel paid --summary Paid -e {"n":1}');
  expect(first).toEqual({ id: expect.any(String), duplicate: false });
  const again = await call('emit payments --id inv_1 --event-file -', { stdin: '{"n":2}' });
  expect(again).toEqual({
    code: 0,
    stdout: `${first.id}\n`,
    stderr: 'Nothing was published: this id was published before.\n',
  });
  const listed = await until(
    'the event',
    async () => (await client.eventSummaries(channel, { expand: 'event' })).data[0],
  );
  expect(listed).toMatchObject({
    id: first.id,
    event: { n: 1 },
    metadata: { id: 'inv_1', name: 'paid', summary: 'Paid' },
  });
  const wrong = ['emit payments', 'emit payments -e {', 'emit shop -e 1', 'deploy --channel', 'deploy a.mjs --channel'];
  const refused = await Promise.all(wrong.map((args) => call(args)));
  expect(refused.map(({ code, stderr }) => [code, stderr.split('\n')[0]])).toEqual([
    [2, 'error: An event is needed.'],
    [2, 'error: The event is not JSON.'],
    [1, 'error: The source shop is no channel: its code emits its events.'],
    [2, 'error: A channel needs a name.'],
    [2, 'error: A channel has no code and no props.'],
  ]);
  await client.deleteSource(channel);
});

test('creates webhooks and subscriptions, lists their signed deliveries, replays events and deletes both', async () => {
  const url = receiver.url('/hook');
  const webhook = await json<NewWebhook>(`webhooks create ${url} --name Hook --retry 1,2`);
  expect(webhook).toMatchObject({ url, retry_schedule: [1, 2], signing_key: expect.stringMatching(/^whsec_/) });
  const subscription = await json<Subscription>('subscriptions create shop Hook');
  await json('run shop --event {"body":{"id":3}}');
  const [received] = await until('the delivery', () => receiver.received.length > 0 && receiver.received);
  expect(received?.body).toBe('{"id":3}');
  if (received !== undefined) verify(webhook.signing_key, received);
  const deliveries = await until('the delivery to be listed', async () => {
    const found = await json<readonly Delivery[]>(`subs deliveries ${subscription.id} --state delivered`);
    return found.length > 0 && found;
  });
  expect(deliveries[0]?.attempts[0]).toMatchObject({ status: 200 });
  expect((await call(`subs deliveries ${subscription.id}`)).stdout).toMatch(/\nmsg_\w+ .* delivered +1 /);
  expect(await json('deliveries list --webhook Hook --state delivered --status 200')).toEqual(deliveries);
  const delivery = deliveries[0]?.id ?? '';
  expect((await call(`deliveries show ${delivery}`)).stdout).toMatch(
    /state: delivered[^]*attempt 1 .* delivered +200 /,
  );
  expect((await call(`deliveries retry ${delivery}`)).code).toBe(1);
  expect(await json('webhooks test Hook')).toMatchObject({ outcome: 'delivered', status: 200 });
  expect(await json(`replay ${subscription.id} --dry-run`)).toMatchObject({ count: 3 });
  expect(await json(`replay ${subscription.id} --from earliest`)).toMatchObject({ state: 'done', done: 3, left: 0 });
  expect(await json(`subs discard-parked ${subscription.id}`)).toEqual({
    id: subscription.id,
    discarded: 0,
    parked: 0,
  });
  expect((await call('webhooks pause Hook')).stdout).toContain('paused');
  expect((await call('webhooks resume Hook')).stdout).toContain('active');
  expect((await call('webhooks show Hook')).stdout).toContain('retries after: 1 s, 2 s');
  expect((await json<readonly object[]>('list subscriptions')).length).toBe(1);
  for (const side of ['--webhook Hook', '--source shop'])
    expect(await json(`subs list ${side}`)).toMatchObject([{ id: subscription.id }]);
  expect(await json('deliveries list --search of-nobody')).toEqual([]);
  expect(await json<readonly object[]>(`deliveries list --search ${webhook.id}`)).not.toEqual([]);
  expect(await json(`subs delete ${subscription.id}`)).toEqual({ id: subscription.id, deleted: true });
  const before = receiver.received.length;
  expect(await json('subs create shop Hook --filter {"id":[3]} --start earliest')).toMatchObject({
    filter: { id: [3] },
  });
  await until('the event that passes the filter', () => receiver.received.length > before);
  expect((await call('subs create shop Hook --filter [3]')).code).toBe(2);
  expect((await call('subs create shop Hook --start #1')).code).toBe(2);
  expect(await json('webhooks delete Hook')).toEqual({ id: webhook.id, deleted: true });
  expect([await json('webhooks list'), await json('subs list')]).toEqual([[], []]);
});

test('init, publish, list, deploy, unpublish, save and update work for a component from a file', async () => {
  expect((await call('init source ticks --timer --db')).stdout).toContain('ticks/ticks.mjs');
  expect((await call('init ticks')).code).toBe(2);
  const saved = await json<{ id: string }>('publish ticks/ticks.mjs');
  expect(await json<readonly object[]>('list components')).toContainEqual(
    expect.objectContaining({ id: saved.id, key: 'ticks' }),
  );
  expect(await json<readonly object[]>('list published')).toMatchObject([{ id: saved.id, key: 'ticks' }]);
  const ticks = await json<Source>('deploy ticks --prop timer=3600');
  expect(ticks).toMatchObject({ component_key: 'ticks', configured_props: { timer: { interval_seconds: 3600 } } });
  expect(await json<Run>('run ticks')).toMatchObject({ outcome: 'succeeded', console: [{ text: 'run number 1' }] });
  const changed = (await readFile(join(dir, 'ticks', 'ticks.mjs'), 'utf8')).replace('0.0.1', '0.0.2');
  await writeFile(join(dir, 'ticks', 'ticks.mjs'), changed);
  expect(await json('publish ticks/ticks.mjs')).toMatchObject({ key: 'ticks', version: '0.0.2', published: true });
  expect((await call('list published')).stdout).toMatch(/NAME +VERSION[^]*ticks +0\.0\.2/);
  expect(await json('unpublish component ticks')).toEqual({ key: 'ticks', unpublished: true });
  expect((await call('unpublish ticks')).code).toBe(4);
  expect((await call('unpublish --purge ticks')).code).toBe(2);
  expect(await json(`unpublish --purge ${saved.id}`)).toEqual({ key: saved.id, deleted: true });
  expect(await json<readonly object[]>('list components')).not.toContainEqual(
    expect.objectContaining({ id: saved.id }),
  );
  expect(await json('save ticks/ticks.mjs')).toMatchObject({ version: '0.0.2', published: false });
  const updated = await json<Source>('update ticks --code ticks/ticks.mjs --name Tocks --deactivate');
  expect(updated).toMatchObject({ id: ticks.id, version: '0.0.2', name: 'Tocks', state: 'inactive' });
  expect((await call('update Tocks')).code).toBe(2);
  expect(await json<Source>('update Tocks --activate --prop timer=60')).toMatchObject({
    state: 'active',
    configured_props: { timer: { interval_seconds: 60 } },
  });
});

test('delete refuses a name that two sources have and lists their ids and slugs, and accepts an id', async () => {
  const twin = await json<Source>('deploy ticks --name Tocks');
  const { code, stderr } = await call('delete Tocks');
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/2 sources are named "Tocks": dc_\w+ \([\w-]+\), dc_\w+ \([\w-]+\)/),
  ]);
  expect(await json(`delete ${twin.id}`)).toEqual({ id: twin.id, deleted: true });
  expect(await json<{ deleted: boolean }>('rm Tocks')).toMatchObject({ deleted: true });
});

test('creates, uses, lists and deletes an API key that may only read', async () => {
  const { id, key } = await json<NewApiKey>('keys create Reader --scope read --expires 1');
  const reader = { env: { ...env, PD_URL: product.baseUrl, PD_API_KEY: key } };
  expect((await call('list sources', reader)).code).toBe(0);
  expect((await call('keys create Another', reader)).stderr).toContain('scope write');
  expect(await json<readonly object[]>('keys list')).toContainEqual(
    expect.objectContaining({ id, name: 'Reader', scopes: ['read'] }),
  );
  expect(await json(`keys delete ${id}`)).toEqual({ id, deleted: true });
  expect((await call('list sources', reader)).code).toBe(3);
});

test('creates an account with credentials from stdin, lists it without them, changes and deletes it', async () => {
  const { id } = await json<Account>('accounts create acme_crm --name Ours', { stdin: '{"api_key":"hush-hush"}' });
  expect(await json<readonly object[]>('accounts list --app acme_crm')).toMatchObject([
    { id, name: 'Ours', credential_fields: ['api_key'] },
  ]);
  const refused = await call('accounts create acme_crm', { stdin: 'hush-hush' });
  expect([refused.code, refused.stderr]).toEqual([2, expect.not.stringContaining('hush')]);
  const changed = await json<Account>(`accounts update ${id} --credentials`, { stdin: '{"token":"hush"}' });
  expect(changed).toMatchObject({ name: 'Ours', credential_fields: ['token'] });
  expect(await json(`accounts delete ${id}`)).toEqual({ id, deleted: true });
  expect((await call(`accounts delete ${id}`)).code).toBe(4);
});

test('doctor finds no problem, and logging out of one profile leaves the other logged in', async () => {
  const checks = await json<readonly { check: string; status: string }[]>('doctor');
  expect(checks.map(({ check, status }) => [check, status])).toEqual(
    ['login', 'service', 'stages', 'clock', 'key'].map((check) => [check, 'ok']),
  );
  const local = { env: { ...env, DATA_DIR: product.dataDir, PD_URL: product.baseUrl } };
  expect((await call('login --local -p second', local)).code).toBe(0);
  expect(await json('whoami -p second')).toMatchObject({ profile: 'second' });
  expect((await call('logout')).stderr).toBe('Logged out.\n');
  expect([(await call('whoami')).code, (await call('whoami', { env: { ...env, PD_PROFILE: 'second' } })).code]).toEqual(
    [3, 0],
  );
});
