// Deploys that are refused, the hooks of a deploy, and deploys across kill -9.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError, createClient } from '../../../libs/client/index.ts';
import type { Client } from '../../../libs/client/index.ts';
import { withFixture } from '../../support/fixture.ts';
import { onlyWaitForKill } from '../../support/processes/shared-kills.ts';
import { until } from '../../support/until.ts';

const fixture = withFixture();
let client: Client;

beforeAll(async () => {
  client = createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });
});

const expectRefusal = async (code: string, props: Record<string, unknown> = {}): Promise<ApiError> => {
  const error: unknown = await client
    .deploySource({ component_code: code, configured_props: props as never })
    .catch((caught: unknown) => caught);
  if (!(error instanceof ApiError)) throw new Error(`it was not refused: ${JSON.stringify(error)}`);
  return error;
};

test.each([
  ['does not parse', "module.exports = {\n  name: 'X',\n  version: '1' 'oops',\n};", 3],
  ['throws at load', "const a = 1;\n\nthrow new Error('no luck');", 3],
])('refuses a component that %s and names the line and the cause', async (_, code, line) => {
  const error = await expectRefusal(code);
  expect(error).toMatchObject({ status: 400, code: 'component_invalid', details: { line } });
  expect(error.message.length).toBeGreaterThan(10);
});

test.each([
  ['no name', "module.exports = { version: '1', run() {} };", /name/],
  ['no version', "module.exports = { name: 'X', run() {} };", /version/],
  ['no run', "module.exports = { name: 'X', version: '1' };", /run/],
  ['nothing exported', 'const a = 1;', /name.*missing/],
  ['an action', "module.exports = { name: 'X', version: '1', type: 'action', run() {} };", /action|source/],
])('refuses a component with %s', async (_, code, cause) => {
  const error = await expectRefusal(code);
  expect(error).toMatchObject({ status: 400, code: 'component_invalid' });
  expect(error.message).toMatch(cause);
});

const picky = `export default {
  name: 'Picky', version: '1',
  props: { count: { type: 'integer', min: 2 }, token: { type: 'string', secret: true } },
  run() {},
};`;

test('reports invalid, unknown and missing props all at once', async () => {
  const error = await expectRefusal(picky, { count: 1, wrong: true });
  expect(error).toMatchObject({ status: 400, code: 'props_invalid' });
  expect(error.message).toMatch(/count/);
  expect(JSON.stringify([error.message, error.details])).toMatch(/wrong/);
  expect(JSON.stringify([error.message, error.details])).toMatch(/token/);
});

test('a deploy runs the deploy and activate hooks in order, and returns their console without secrets', async () => {
  const source = await client.deploySource({
    component_code: `export default {
      name: 'Hooked', version: '1', props: { db: '$.service.db', token: { type: 'string', secret: true } },
      hooks: {
        async deploy() { console.log('deploying with', this.token); this.db.set('order', ['deploy']); this.$emit({ from: 'deploy' }); },
        async activate() { this.db.set('order', [...this.db.get('order'), 'activate']); console.log(this.db.get('order').join()); this.$emit({ from: 'activate' }); },
      },
      run() { this.$emit(this.db.get('order')); },
    };`,
    configured_props: { token: 'sesame-open-now' },
  });
  const messages = source.observations.map(({ msg }: { msg: string }) => msg).join('\n');
  expect(messages).toContain('deploying with [secret]');
  expect(messages).toContain('deploy,activate');
  expect(JSON.stringify(await client.source(source.id))).not.toContain('sesame');
  await client.runNowAndWait(source.id);
  // A run can be shown before its events.
  const data = await until('all events', async () => {
    const page = await client.eventSummaries(source.id, { expand: 'event' });
    return page.data.length >= 3 && page.data;
  });
  expect(data.map(({ event }) => event)).toEqual([['deploy', 'activate'], { from: 'activate' }, { from: 'deploy' }]);
});

test('a hook that throws refuses the deploy with its message, and the source does not exist', async () => {
  const error = await expectRefusal(`import { ConfigurationError } from '@pipedream/platform';
  export default {
    name: 'Unlucky', version: '1',
    hooks: { async activate() { throw new ConfigurationError('the feed is no feed'); } },
    run() {},
  };`);
  expect(error).toMatchObject({ status: 400, code: 'hook_failed' });
  expect(error.message).toContain('ConfigurationError: the feed is no feed');
  expect((await client.sources()).data.map(({ name }) => name)).not.toContain('Unlucky');
});

test('deleting a source ends its endpoint and its subscriptions', async () => {
  const source = await client.deploySource({
    component_code: `module.exports = {
      name: 'Short-lived', version: '1', props: { http: '$.interface.http' },
      hooks: { deactivate() { console.log('bye'); } },
      run() {},
    };`,
  });
  const endpoint = source.configured_props.http?.endpoint_url ?? '';
  const webhook = await client.createWebhook({ url: 'https://example.com/hook' });
  const subscription = await client.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
  expect((await fetch(endpoint)).status).toBe(200);
  await client.deleteSource(source.id);
  await until('the endpoint to end', async () => (await fetch(endpoint)).status === 404);
  await expect(client.source(source.id)).rejects.toMatchObject({ status: 404 });
  await expect(client.subscription(subscription.id)).rejects.toMatchObject({ status: 404 });
});

/** A run ends only when three run at the same time. */
const crowd = `let here = [];
  export default { name: 'Crowd', version: '1', props: { http: '$.interface.http', db: '$.service.db' },
    async run({ body: { n, padding } }) {
      const seen = this.db.get('seen') ?? 0;
      this.db.set('seen', seen + 1);
      this.db.set('run ' + n, true);
      await new Promise((resolve) => { if (here.push(resolve) === 3) for (const go of here.splice(0)) go(); });
      this.$emit({ n, seen, padding: padding.length }, { id: n });
    } }`;

const greeter = (version: string): string => `export default {
  key: 'acme-greeter', name: 'Greeter', version: '${version}', props: { http: '$.interface.http' },
  run({ body }) { this.$emit({ hello: body.name, from: '${version}' }); },
};`;

fixture.kills.test('concurrent runs, saved components and fetched code survive kill -9', async function* () {
  // The maximum size of code.
  const large = `${greeter('fetched')}\n//`.padEnd(1024 * 1024, 'x');
  const files = createServer((_, response) => response.end(large)).listen(0, '127.0.0.1');
  await new Promise((resolve) => files.once('listening', resolve));
  const component_url = `http://127.0.0.1:${(files.address() as AddressInfo).port}/greeter.js`;
  const fetched = await client.deploySource({ component_url });
  files.close();
  const once = { idempotencyKey: 'greeter-1' };
  const saved = await client.saveComponent({ component_code: greeter('1') }, once);
  const {
    id,
    concurrency,
    configured_props: props,
  } = await client.deploySource({
    component_code: crowd,
    concurrency: 3,
  });
  expect(concurrency).toBe(3);
  const post = async (url: string, body: object): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(200);
  };
  // The maximum size of a body.
  const padding = 'x'.repeat(512 * 1024 - 100);
  await post(props.http.endpoint_url, { n: 1, padding });
  await post(props.http.endpoint_url, { n: 2, padding: '' });

  yield onlyWaitForKill;
  await post(props.http.endpoint_url, { n: 3, padding: '' });
  const events = async (source: string) =>
    (await client.eventSummaries(source, { expand: 'event' })).data.map(({ event }) => event);
  await until('three events', async () => (await events(id)).length === 3);
  expect(await events(id)).toEqual(
    expect.arrayContaining([
      { n: 1, seen: 0, padding: padding.length },
      { n: 2, seen: 0, padding: 0 },
      { n: 3, seen: 0, padding: 0 },
    ]),
  );
  expect((await client.updateSource(id, { concurrency: 1 })).concurrency).toBe(1);
  expect(await client.component('acme-greeter')).toEqual(saved);
  expect(await client.saveComponent({ component_code: greeter('1') }, once)).toEqual(saved);
  await post(fetched.configured_props.http.endpoint_url, { name: 'you' });
  await until('the greeting of what was fetched', async () => (await events(fetched.id)).length > 0);
  expect(await events(fetched.id)).toEqual([{ hello: 'you', from: 'fetched' }]);
});

test('app events reach sources that name them, and emit_on_deploy: false drops events of a deploy', async () => {
  const source = await client.deploySource({
    emit_on_deploy: false,
    configured_props: { rooms: ['C1'] },
    component_code: `export default {
      name: 'Chat', version: '1', dedupe: 'unique',
      props: { rooms: 'string[]', chat: { type: '$.interface.apphook', async eventNames() { return this.rooms; } } },
      hooks: { deploy() { this.$emit({ from: 'deploy' }, { id: 'm1' }); } },
      run(event) { this.$emit(event, { id: event.id, ts: event.ts }); },
    };`,
  });
  const { endpoint_url = '', event_names } = (source.configured_props['chat'] ?? {}) as Record<string, string>;
  expect(event_names).toEqual(['C1']);
  const tell = async (room: string, id: string): Promise<unknown> => {
    const body = JSON.stringify({ id, ts: '1700000000.000100' });
    return (await fetch(`${endpoint_url}?event_name=${room}`, { method: 'POST', body })).json();
  };
  expect(await tell('C1', 'm1')).toEqual({ data: { accepted: true } });
  expect(await tell('C2', 'm2')).toEqual({ data: { accepted: false } });
  expect(await tell('C1', 'm1')).toEqual({ data: { accepted: true } });
  await client.updateSource(source.id, { configured_props: { rooms: ['C2'] } });
  expect(await tell('C1', 'm3')).toEqual({ data: { accepted: false } });
  expect(await tell('C2', 'm4')).toEqual({ data: { accepted: true } });
  const emitted = async (): Promise<readonly unknown[]> =>
    (await client.eventSummaries(source.id, { expand: 'event' })).data.map(({ event }) => (event as { id: string }).id);
  await until('both events', async () => (await emitted()).includes('m4'));
  expect([...(await emitted())].sort()).toEqual(['m1', 'm4']);
});
