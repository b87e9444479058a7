// A user fills in the form of a component whose props depend on each other and on another service, and deploys it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError, createClient } from '../../../libs/client/index.ts';
import type { Client } from '../../../libs/client/index.ts';
import { withFixture } from '../../support/fixture.ts';
import { onlyWaitForKill } from '../../support/processes/shared-kills.ts';
import { until } from '../../support/until.ts';

const fixture = withFixture();
let client: Client;

const token = 'hush_0123456789abcdef';
/** Serves three pages of repositories to requests with the token. */
const upstream = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://upstream');
  const page = Number(url.searchParams.get('cursor') ?? 0);
  const isKnown = request.headers.authorization === `Bearer ${token}`;
  const names = page < 2 ? [`acme/site-${page}`, `acme/app-${page}`] : [];
  const found = names.filter((name) => name.includes(url.searchParams.get('q') ?? ''));
  response.statusCode = isKnown ? 200 : 401;
  response.end(JSON.stringify(isKnown ? { names: found, next: page + 1 } : {}));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => void upstream.listen(0, '127.0.0.1', resolve));
  client = createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });
});

afterAll(() => upstream.close());

const code = (): string => `
const forge = { type: 'app', app: 'forge', propDefinitions: {
  repository: { type: 'string', label: 'Repository', useQuery: true, async options({ prevContext: { cursor = 0 }, query = '', token }) {
    const { names, next } = await this.list({ cursor, query, token });
    return { options: names.map((name) => ({ label: name.toUpperCase(), value: name })), context: { cursor: next } };
  } } },
  methods: { async list({ cursor, query, token }) {
    const answer = await fetch('http://127.0.0.1:${(upstream.address() as AddressInfo).port}/?cursor=' + cursor + '&q=' + query, { headers: { authorization: 'Bearer ' + token } });
    if (!answer.ok) throw new Error('the forge answers ' + answer.status + ' to ' + token);
    return answer.json();
  } } };
export default {
  name: 'Forge', version: '1', props: {
    forge: { ...forge, optional: true },
    token: { type: 'string', secret: true },
    repository: { propDefinition: [forge, 'repository', (c) => ({ token: c.token })], reloadProps: true },
  },
  async additionalProps() {
    const { names } = await this.forge.list({ cursor: 0, query: '', token: this.token });
    const branch = { type: 'string', options: async ({ page }) => (page === 0 ? names.map((name) => name + '@main') : []) };
    return names.includes(this.repository) ? { http: '$.interface.http', branch } : { timer: { type: '$.interface.timer', default: { intervalSeconds: 1 } } };
  },
  run({ body, interval_seconds }) { this.$emit({ got: body ?? interval_seconds, branch: this.branch, endpoint: typeof this.http?.endpoint }); },
};`;

const refusalOf = async (response: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await response.catch((caught: unknown) => caught);
  if (!(error instanceof ApiError)) throw new Error(`it was not refused: ${JSON.stringify(error)}`);
  return error;
};

test('options are read in pages and searched, and an error in them is reported without the secret', async () => {
  const request = { component_code: code(), prop_name: 'repository', configured_props: { token } };
  const first = await client.options(request);
  expect(first.options).toEqual([
    { label: 'ACME/SITE-0', value: 'acme/site-0' },
    { label: 'ACME/APP-0', value: 'acme/app-0' },
  ]);
  const second = await client.options({ ...request, page: 1, prev_context: first.context, query: 'app' });
  expect(second.options).toEqual([{ label: 'ACME/APP-1', value: 'acme/app-1' }]);
  const last = await client.options({ ...request, page: 2, prev_context: second.context });
  expect(last).toMatchObject({ string_options: [] });
  const wrongRequest = { ...request, configured_props: { token: 'wrong_0123456789' } };
  expect(await refusalOf(client.options(wrongRequest))).toMatchObject({
    status: 400,
    code: 'call_failed',
    message: expect.stringContaining('the forge answers 401 to [secret]') as string,
  });
});

test('at an update, additional props may depend on the db and the endpoint of the source, and its db stays as it is', async () => {
  const remembering = (version: string): string => `export default {
    name: 'Remembering', version: '${version}', props: { http: '$.interface.http', db: '$.service.db' },
    additionalProps() {
      const runs = this.db.get('runs');
      this.db.set('runs', 'lost');
      return runs === 1 ? { where: { type: 'string', default: this.http.endpoint } } : {};
    },
    run() { this.$emit({ where: this.where ?? null, runs: this.db.get('runs') ?? null }); this.db.set('runs', 1); },
  };`;
  const { id, configured_props } = await client.deploySource({ component_code: remembering('1') });
  await client.runNowAndWait(id, {});
  await client.updateSource(id, { component_code: remembering('2') });
  await client.runNowAndWait(id, {});
  const { data } = await client.eventSummaries(id, { expand: 'event' });
  expect(data.map(({ event }) => event)).toEqual([
    { where: configured_props.http?.endpoint_url, runs: 1 },
    { where: null, runs: null },
  ]);
});

fixture.kills.test(
  'additional props decide the interface of a source, also across kill -9 and after an update',
  async function* () {
    const configured_props = { token, repository: 'acme/site-0' };
    const { dynamic_props } = await client.propsFor({ component_code: code(), configured_props });
    const added = dynamic_props.configurable_props.filter(({ dynamic }) => dynamic === true);
    expect(added.map(({ name, type }) => [name, type])).toEqual([
      ['http', '$.interface.http'],
      ['branch', 'string'],
    ]);
    const branches = await client.options({ component_code: code(), configured_props, prop_name: 'branch' });
    expect(branches.string_options).toEqual(['acme/site-0@main', 'acme/app-0@main']);
    const missing = await refusalOf(client.deploySource({ component_code: code(), configured_props }));
    expect(missing).toMatchObject({ code: 'props_invalid', details: { problems: [{ field: 'branch' }] } });
    const source = await client.deploySource({
      component_code: code(),
      configured_props: { ...configured_props, branch: 'acme/site-0@main' },
    });
    yield onlyWaitForKill;
    const { endpoint_url: url = '' } = source.configured_props.http ?? {};
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(url, { method: 'POST', headers, body: '{"n":1}' })).status).toBe(200);
    const events = async (): Promise<readonly unknown[]> =>
      (await client.eventSummaries(source.id, { expand: 'event' })).data.map(({ event }) => event);
    await until('the event of the request', async () => (await events()).length === 1);
    expect(await events()).toEqual([{ got: { n: 1 }, branch: 'acme/site-0@main', endpoint: 'string' }]);

    const of = await client.sourceOptions(source.id, { prop_name: 'repository', query: 'app' });
    expect(of.options).toEqual([{ label: 'ACME/APP-0', value: 'acme/app-0' }]);
    await client.updateSource(source.id, { configured_props: { repository: 'acme/other' } });
    await until('an event of the timer', async () =>
      JSON.stringify(await events()).includes('"got":1,"endpoint":"undefined"'),
    );
    expect(JSON.stringify([await client.source(source.id), await client.runs(source.id)])).not.toContain(token);
  },
);
