import { until } from '../../../../test/support/until.ts';
import type { Manifest } from '../../../domain/component/manifest.ts';
import { callSignedHistory, expectLines } from '../rest/history/signed/call-history.fake.ts';
import { TestBed } from '../test-bed.fake.ts';
import {
  answerTest,
  deliveryId,
  echoOf,
  offerComponent,
  putDelivery,
  putEvent,
  putPosition,
  putReplay,
} from './delivery-views.fake.ts';
import type { Answer, TestRequest } from '../test-bed.fake.ts';
import { schemaFaults, schemaName } from './schema-faults.fake.ts';
import type { OpenApi, Route, Schema } from './schema-faults.fake.ts';

const manifest: Manifest = {
  name: 'Echo',
  version: '0.0.1',
  type: 'source',
  props: [
    { name: 'http', type: '$.interface.http' },
    { name: 'size', type: 'integer', label: 'Size', min: 1, max: 9, default: 3, options: [3, 5] },
  ],
  hooks: ['deploy'],
  methods: [],
  additionalProps: false,
};

let bed: TestBed;
let text: string;
let document: OpenApi;
let routes: ReadonlyMap<string, Route>;
const seen = new Set<string>();

beforeAll(async () => {
  bed = await TestBed.start();
  bed.components.set('echo', echoOf(manifest));
  bed.components.set('slow', {
    manifest: { ...manifest, hooks: ['activate', 'deactivate'] },
    hooks: { activate: () => new Promise(() => {}) },
  });
  bed.components.set('stuck', {
    manifest: { ...manifest, hooks: ['deactivate'] },
    hooks: { deactivate: () => new Promise(() => {}) },
  });
  text = (await bed.send('GET', '/openapi.json')).text;
  document = JSON.parse(text) as OpenApi;
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  routes = new Map(all.map((route) => [route.operationId, route]));
});
afterAll(() => bed?.stop());

const all = (): readonly Route[] => [...routes.values()];
const named = (operationId: string): Route => {
  const route = routes.get(operationId);
  if (route === undefined) throw new Error(`there is no operation ${operationId}`);
  return route;
};

describe('the document', () => {
  test('is OpenAPI 3 with the public address of the service and bearer authentication', () => {
    expect(document.openapi).toMatch(/^3\.0\.\d$/);
    expect(document.servers).toEqual([{ url: 'http://test.local' }]);
    expect(document.components.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer', description: expect.any(String) },
    });
    expect(
      all()
        .filter(({ security }) => security.length === 0)
        .map(({ path }) => path),
    ).not.toContainEqual(expect.stringMatching(/^\/v1/));
  });

  test('gives every operation a unique id that is usable as an identifier', () => {
    const count = Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length;
    expect(routes.size).toBe(count);
    expect([...routes.keys()].filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    expect([...routes.keys()]).toEqual(expect.arrayContaining(['listSources', 'listMySources', 'listOrgSources']));
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/e/{endpointKey}', '/health', '/health/live']),
    );
  });

  test('describes every success with a schema and every refusal as an error', () => {
    for (const { operationId, responses, summary } of all()) {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      const bare = successes.filter(
        ([status, { content }]) =>
          status !== '204' && !Object.values(content ?? {}).some(({ schema }) => schema !== undefined),
      );
      expect([operationId, successes.length > 0, bare]).toEqual([operationId, true, []]);
      expect(Object.values(responses).every(({ description }) => description !== '') && summary !== '').toBe(true);
    }
    const refusals = all()
      .filter(({ path }) => !path.startsWith('/health'))
      .flatMap(({ responses }) => Object.entries(responses).filter(([status]) => !status.startsWith('2')));
    for (const [, { content }] of refusals) {
      expect(content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/Error' } } });
    }
    for (const [status, { headers }] of refusals.filter(([status]) => status === '429' || status === '503')) {
      expect([status, headers]).toEqual([status, { 'Retry-After': expect.anything() }]);
    }
  });

  test('resolves every reference, uses every schema and contains no internal extension', () => {
    const used = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, path]) => schemaName(path ?? '')));
    expect([...used].sort()).toEqual(Object.keys(document.components.schemas).sort());
    expect(text).not.toMatch(/"x-/);
    for (const [name, { required = [], properties = {} }] of Object.entries(document.components.schemas)) {
      expect([name, required.filter((field) => properties[field] === undefined)]).toEqual([name, []]);
    }
  });

  test('lists every path parameter, and each parameter once', () => {
    for (const { path, operationId, parameters = [] } of all()) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`);
      expect([operationId, inPath]).toEqual([operationId, path.match(/\{\w+\}/g) ?? []]);
      expect(new Set(parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).size).toBe(parameters.length);
      expect(parameters.every(({ schema, content }) => schema !== undefined || content !== undefined)).toBe(true);
    }
  });

  test('describes which values a parameter accepts', () => {
    const schemaOf = (id: string, name: string) => {
      const found = named(id).parameters?.find((parameter) => parameter.name === name);
      return found?.schema ?? found?.content?.['application/json']?.schema;
    };
    expect(schemaOf('listWebhooks', 'limit')).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 10 });
    expect(schemaOf('listEvents', 'expand')).toEqual({ type: 'string', enum: ['event'] });
    expect(schemaOf('listDeliveries', 'state')?.enum).toEqual(['delivered', 'failing', 'parked', 'discarded']);
    expect(schemaOf('createWebhook', 'retry_schedule')?.items).toEqual({
      type: 'integer',
      minimum: 0,
      maximum: 86_400,
    });
    expect(schemaOf('deploySource', 'configured_props')?.type).toBe('object');
    const required = (id: string) =>
      named(id)
        .parameters?.filter((parameter) => parameter.required)
        .map(({ name }) => name);
    expect(required('deleteSubscription')).toEqual(['emitter_id', 'listener_id']);
    expect(required('createSubscription')).toEqual([]);
  });

  test.each([
    ['createWebhook', ['url']],
    ['createSubscription', ['emitter_id', 'listener_id']],
    ['deploySource', undefined],
    ['saveComponent', undefined],
    ['configureComponent', ['prop_name']],
  ])('marks the body of %s as required, with the fields %j', (id, required) => {
    const { requestBody } = named(id);
    const { $ref = '' } = requestBody?.content['application/json']?.schema ?? {};
    const schema = document.components.schemas[schemaName($ref)];
    expect([requestBody?.required, schema?.required]).toEqual([true, required]);
  });
});

interface Call extends TestRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly as?: string;
}

/** Sends the request of an operation, and compares the answer with the document's schema for its status. */
async function expectAnswer(
  operationId: string,
  status: number,
  { path = {}, as, ...asked }: Call = {},
): Promise<Answer> {
  const { method, path: template, responses } = named(operationId);
  const url = template.replace(/\{(\w+)\}/g, (_whole, name: string) => path[name] ?? '');
  const headers = { ...asked.headers, ...(as === undefined ? {} : { authorization: as }) };
  const answer = await bed.call(method as 'GET', url, { ...asked, headers });
  expect([operationId, answer.status, answer.body.error]).toEqual([operationId, status, answer.body.error]);
  const response = responses[status];
  const schema = response?.content?.['application/json']?.schema;
  const streamed = response?.content?.['text/event-stream']?.schema;
  if (streamed !== undefined) expectStream(streamed, answer);
  else if (response?.content?.['application/x-ndjson'] !== undefined) expectLines(answer);
  else if (schema === undefined) expect([status, answer.text]).toEqual([204, '']);
  else expect(schemaFaults(document.components.schemas, schema, JSON.parse(answer.text))).toEqual([]);
  for (const name of Object.keys(response?.headers ?? {})) expect(answer.headers).toHaveProperty(name.toLowerCase());
  seen.add(`${operationId} ${status}`);
  return answer;
}

function expectStream(schema: Schema, { headers, text: answered }: Answer): void {
  expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
  const data = [...answered.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json) as unknown);
  expect(data.length).toBeGreaterThan(0);
  for (const one of data) expect(schemaFaults(document.components.schemas, schema, one)).toEqual([]);
}

const idOf = ({ body }: Answer): string => ([body.data].flat()[0] as { id: string }).id;

const untilListed = (operationId: string, asked: Call, count: number): Promise<unknown> =>
  until(`${count} of ${operationId}`, async () => {
    const { body } = await expectAnswer(operationId, 200, asked);
    return (body.data as readonly unknown[]).length === count;
  });

/** Checks the answers of `/configure` and `/props`. */
async function expectFormAnswers(
  body: object,
  [configure, props]: [string, string],
  path: Readonly<Record<string, string>>,
): Promise<void> {
  await expectAnswer(configure, 200, { path, body: { ...body, prop_name: 'size', page: 1, prev_context: null } });
  await expectAnswer(configure, 400, { path, body });
  await expectAnswer(props, 200, { path, body });
  await expectAnswer(props, 400, { path, body: { ...body, configured_props: { size: 'no' } } });
}

describe('every answer matches the document', () => {
  const url = 'https://example.com/hook';

  test('for users and webhooks', async () => {
    await expectAnswer('getMe', 200);
    const idempotent = { body: { url, name: 'n', retry_schedule: [1, 2] }, headers: { 'idempotency-key': 'w' } };
    const id = idOf(await expectAnswer('createWebhook', 200, idempotent));
    await expectAnswer('createWebhook', 200, { query: { url, ordered: 'false' } });
    await expectAnswer('createWebhook', 409, { ...idempotent, body: { url } });
    await expectAnswer('createWebhook', 400, { body: { url: 'no' } });
    await expectAnswer('createWebhook', 415, { body: 'url=x', headers: { 'content-type': 'text/plain' } });
    await expectAnswer('getWebhook', 200, { path: { id } });
    await expectAnswer('listWebhooks', 200, { query: { limit: '1' } });
    await expectAnswer('listMyWebhooks', 200);
    await expectAnswer('listWebhooks', 400, { query: { limit: 'abc' } });
    await expectAnswer('listWebhooks', 401, { as: 'Bearer nobody' });
    await expectAnswer('listWebhooks', 404, { query: { org_id: 'o_0' } });
    await expectAnswer('updateWebhook', 200, { path: { id }, body: { timeout_ms: 2_000, signature: 'ed25519' } });
    await expectAnswer('updateWebhook', 400, { path: { id }, body: { url: null } });
    await expectAnswer('pauseWebhook', 200, { path: { id } });
    await expectAnswer('resumeWebhook', 200, { path: { id } });
    await expectAnswer('regenerateSigningKey', 200, { path: { id }, body: { overlap_seconds: 0 } });
    await expectAnswer('regenerateSigningKey', 400, { path: { id }, body: { overlap_seconds: -1 } });
    await Promise.all([expectAnswer('testWebhook', 200, { path: { id } }), answerTest(bed)]);
    await expectAnswer('deleteWebhook', 204, { path: { id } });
    for (const gone of ['updateWebhook', 'pauseWebhook', 'resumeWebhook', 'regenerateSigningKey', 'testWebhook'])
      await expectAnswer(gone, 404, { path: { id } });
    await expectAnswer('deleteWebhook', 404, { path: { id } });
  });

  test('for API keys', async () => {
    const made = await expectAnswer('createApiKey', 200, { body: { name: 'reader', scopes: ['read'] } });
    const { id, key } = made.body.data as { readonly id: string; readonly key: string };
    await expectAnswer('createApiKey', 400, { body: { name: '' } });
    await expectAnswer('createApiKey', 403, { body: { name: 'n' }, as: `Bearer ${key}` });
    await expectAnswer('listApiKeys', 200, { query: { limit: '1' } });
    await expectAnswer('getApiKey', 200, { path: { id } });
    await expectAnswer('deleteApiKey', 204, { path: { id } });
    await expectAnswer('deleteApiKey', 404, { path: { id } });
    await expectAnswer('listApiKeys', 401, { as: `Bearer ${key}` });
    const [{ id: last } = { id: '' }] = (await expectAnswer('listApiKeys', 200)).body.data as { id: string }[];
    await expectAnswer('deleteApiKey', 409, { path: { id: last } });
  });

  test('for history', async () => {
    const { id, key } = (await expectAnswer('createApiKey', 200, { body: { name: 'a', scopes: ['audit'] } })).body
      .data as { readonly id: string; readonly key: string };
    const as = `Bearer ${key}`;
    const { body } = await expectAnswer('listHistory', 200, { as, query: { limit: '1', from: '1' } });
    const { end_cursor: after = '' } = body['page_info'] as unknown as { readonly end_cursor?: string };
    await expectAnswer('listHistory', 400, { as, query: { type: 'None' } });
    await expectAnswer('streamHistory', 400, { as, query: { after: 'nonsense' } });
    const streamed = expectAnswer('streamHistory', 200, { as, query: { after, from: '1' } });
    while (bed.parts.history.streamCount === 0) await new Promise((resolve) => setImmediate(resolve));
    await expectAnswer('deleteApiKey', 204, { path: { id } });
    await streamed;
    await expectAnswer('listHistory', 401, { as });
  });

  test('for accounts and apps', async () => {
    const body = { app: 'github', credentials: { oauth_access_token: 't' } };
    const id = idOf(await expectAnswer('createAccount', 200, { body }));
    await expectAnswer('createAccount', 400, { body: { ...body, credentials: 't' } });
    await expectAnswer('listAccounts', 200, { query: { include_credentials: '1' } });
    await expectAnswer('getAccount', 200, { path: { id } });
    await expectAnswer('updateAccount', 200, { path: { id }, body: { name: 'n' } });
    await expectAnswer('deleteAccount', 204, { path: { id }, query: { force: 'true' } });
    for (const gone of ['getAccount', 'updateAccount', 'deleteAccount'])
      await expectAnswer(gone, 404, { path: { id } });
    await expectAnswer('listApps', 200, { query: { limit: '1' } });
    await expectAnswer('getApp', 200, { path: { app: 'github' } });
    await expectAnswer('getApp', 404, { path: { app: 'unheard_of' } });
  });

  test('for data stores', async () => {
    const id = idOf(await expectAnswer('createDataStore', 200, { body: { name: 'Seen' } }));
    await expectAnswer('createDataStore', 400, { body: { name: '' } });
    await expectAnswer('listDataStores', 200, { query: { limit: '1' } });
    await expectAnswer('getDataStore', 200, { path: { id } });
    await expectAnswer('setRecord', 200, { path: { id }, body: { key: 'a/b', value: [null], ttl: 600.5 } });
    await expectAnswer('setRecord', 400, { path: { id }, body: { key: 'a/b' } });
    await expectAnswer('setRecord', 400, { path: { id }, body: { key: 'a', value: 1, ttl: 0 } });
    await expectAnswer('setRecord', 400, { path: { id }, body: { key: 'a', value: 'x'.repeat(300_000) } });
    await expectAnswer('getRecord', 200, { path: { id }, query: { key: 'a/b' } });
    await expectAnswer('listRecords', 200, { path: { id } });
    await expectAnswer('listRecords', 400, { path: { id }, query: { after: 'none' } });
    await expectAnswer('deleteRecord', 204, { path: { id }, query: { key: 'a/b' } });
    await expectAnswer('deleteRecord', 404, { path: { id }, query: { key: 'a/b' } });
    await expectAnswer('deleteDataStore', 204, { path: { id } });
    for (const gone of ['getDataStore', 'deleteDataStore', 'listRecords'])
      await expectAnswer(gone, 404, { path: { id } });
  });

  test('for saved components', async () => {
    const id = idOf(await expectAnswer('saveComponent', 200, { body: { component_code: 'echo' } }));
    await expectAnswer('saveComponent', 400, { body: { component_code: 'nonsense' } });
    await expectAnswer('listComponents', 200);
    await expectAnswer('getComponent', 200, { path: { component: id } });
    await expectAnswer('getComponent', 404, { path: { component: 'acme-nobody' } });
    await expectAnswer('deploySource', 404, { body: { component_id: 'acme-nobody' } });
    await expectFormAnswers({ component_id: id }, ['configureComponent', 'componentProps'], {});
    await expectAnswer('componentProps', 404, { body: { component_id: 'acme-nobody' } });
  });

  test('for published components and components of the registry', async () => {
    const key = 'acme-new-order';
    offerComponent(bed, key);
    await expectAnswer('getRegistryComponent', 200, { path: { key } });
    await expectAnswer('getRegistryComponent', 404, { path: { key: 'acme-nothing' } });
    await expectAnswer('searchComponents', 200, { query: { app: 'acme' } });
    await expectAnswer('saveComponent', 200, { body: { component_code: 'own', publish: true } });
    await expectAnswer('unpublishComponent', 204, { path: { component: key } });
    await expectAnswer('unpublishComponent', 404, { path: { component: key } });
  });

  test('for sources, their events and their runs', async () => {
    const deployed = await expectAnswer('deploySource', 200, { body: { component_code: 'echo' } });
    const id = idOf(deployed);
    const { configured_props: props, owner_id: workspace } = deployed.body.data as {
      configured_props: { http: { endpoint_url: string } };
      owner_id: string;
    };
    await expectAnswer('listEvents', 200, { path: { id } });
    for (const body of [{ n: 1 }, { text: 'x'.repeat(2_000) }, { fail: true }]) {
      await bed.send('POST', new URL(props.http.endpoint_url).pathname, { body });
    }
    await untilListed('listEvents', { path: { id }, query: { event_name: 'odd' } }, 3);
    await untilListed('listRuns', { path: { id } }, 5);
    await expectAnswer('runNow', 202, { path: { id }, body: { event: { body: {} } } });
    const run = idOf(await expectAnswer('runNow', 200, { path: { id }, query: { wait: '1', event: '{"body":{}}' } }));
    await expectAnswer('getRun', 200, { path: { id, run } });
    await expectAnswer('runNow', 404, { path: { id: 'dc_0000000000000000' } });
    await expectAnswer('emitSample', 200, { path: { id } });
    await expectFormAnswers({}, ['configureSource', 'sourceProps'], { id });
    await untilListed('listEvents', { path: { id }, query: { event_name: '' } }, 1);
    await expectAnswer('emitSample', 404, { path: { id: 'dc_0000000000000000' } });
    await expectAnswer('getSource', 200, { path: { id } });
    await expectAnswer('getSourceCode', 200, { path: { id } });
    await expectAnswer('updateSource', 200, { path: { id }, body: { name: 'n', active: false } });
    await expectAnswer('updateSource', 400, { path: { id }, body: { active: 'no' } });
    await expectAnswer('updateSource', 404, { path: { id: 'dc_0000000000000000' }, body: {} });
    await expectAnswer('listSources', 200);
    await expectAnswer('listMySources', 200);
    await expectAnswer('listOrgSources', 200, { path: { workspace } });
    await expectAnswer('streamEvents', 400, { path: { id }, query: { after: 'x' } });
    const streams = [
      expectAnswer('streamEvents', 200, { path: { id }, query: { event_name: 'odd', after: '1-0' } }),
      expectAnswer('streamRuns', 200, { path: { id }, query: { after: 'run_0000000000000000' } }),
    ];
    await expectAnswer('deleteEvents', 202, { path: { id }, query: { start_id: '1-0', event_name: 'odd' } });
    await expectAnswer('deleteEvents', 400, { path: { id }, query: { end_id: '1' } });
    await expectAnswer('deleteSource', 204, { path: { id } });
    await Promise.all(streams);
  });

  test('for channels and published events', async () => {
    const id = idOf(await expectAnswer('deploySource', 200, { body: { kind: 'channel', name: 'Orders' } }));
    const event = { event: { n: 1 }, id: 7, name: 'paid', summary: 's', ts: 5 };
    await expectAnswer('publishEvents', 200, { path: { id }, body: event });
    await expectAnswer('publishEvents', 200, { path: { id }, query: { event: '{"n":1}', id: '7' } });
    await expectAnswer('publishEvents', 200, { path: { id }, body: { events: [event, { event: null }] } });
    await expectAnswer('publishEvents', 400, { path: { id }, body: {} });
    await expectAnswer('publishEvents', 404, { path: { id: 'dc_0000000000000000' }, body: event });
    await expectAnswer('publishEvents', 413, { path: { id }, body: { event: 'x'.repeat(600_000) } });
    await untilListed('listEvents', { path: { id } }, 2);
    await expectAnswer('getSource', 200, { path: { id } });
    await expectAnswer('updateSource', 200, { path: { id }, body: { active: false } });
    await expectAnswer('publishEvents', 409, { path: { id }, body: event });
  });

  test('for deploys and deletes that are refused or take long', async () => {
    await expectAnswer('deploySource', 400, { body: { component_code: 'nonsense' } });
    const body = { component_code: 'echo', configured_props: { size: 4, nope: 1 } };
    const { details } = (await expectAnswer('deploySource', 400, { body })).body;
    await expectAnswer('getSource', 200, { path: { id: String(details?.['source_id']) } });
    await expectAnswer('deploySource', 413, { body: { component_code: 'x'.repeat(1_200_000) } });
    const slow = idOf(await early('deploySource', { body: { component_code: 'slow' } }));
    await expectAnswer('deleteSource', 409, { path: { id: slow } });
    const stuck = idOf(await expectAnswer('deploySource', 200, { body: { component_code: 'stuck' } }));
    await early('deleteSource', { path: { id: stuck } });
    await expectAnswer('updateSource', 409, { path: { id: stuck }, body: { active: false } });
    const held = idOf(await expectAnswer('deploySource', 200, { body: { component_code: 'stuck' } }));
    await early('updateSource', { path: { id: held }, body: { active: false } });
  });

  test('for subscriptions and their deliveries', async () => {
    const listener_id = idOf(await expectAnswer('createWebhook', 200, { body: { url } }));
    const emitter_id = idOf(await expectAnswer('deploySource', 200, { body: { component_code: 'echo' } }));
    const triple = { emitter_id, listener_id };
    const created = await expectAnswer('createSubscription', 200, { query: triple });
    const id = idOf(created);
    await expectAnswer('createSubscription', 404, { body: { ...triple, emitter_id: 'dc_0000000000000000' } });
    await expectAnswer('getSubscription', 200, { path: { id } });
    await expectAnswer('listSubscriptions', 200);
    await expectAnswer('listSubscriptions', 400, { query: triple });
    await expectAnswer('listMySubscriptions', 200);
    const workspace = bed.log.records('workspaces')[0]?.workspace ?? '';
    await expectAnswer('listWorkspaceSubscriptions', 200, { path: { workspace } });
    await putPosition(bed, id, emitter_id);
    await expectAnswer('getSubscription', 200, { path: { id } });
    await expectAnswer('listPositions', 200, { path: { id }, query: { emitter_id } });
    await expectAnswer('listPositions', 404, { path: { id: 'sub_0000000000000000' } });
    await expectAnswer('getFiltered', 200, { path: { id } });
    await expectAnswer('getFiltered', 404, { path: { id: 'sub_0000000000000000' } });
    await expectAnswer('getStats', 200, { query: { step: 'hour' } });
    await expectAnswer('getWebhookStats', 200, { path: { id: listener_id }, query: { step: 'hour' } });
    await expectAnswer('getWebhookStats', 404, { path: { id: 'wh_0000000000000000' } });
    await expectAnswer('getStats', 400, { query: { from: '120000', to: '5' } });
    bed.parts.takenFilters.waitForPartitions = () => Promise.resolve(false);
    const filter = { action: [{ prefix: 'o' }] };
    await expectAnswer('updateSubscription', 202, { path: { id }, body: { filter } });
    await expectAnswer('updateSubscription', 200, { path: { id }, body: {} });
    await expectAnswer('updateSubscription', 400, { path: { id }, query: { filter: '{}' } });
    await expectAnswer('previewEvent', 200, { path: { id }, body: { event: { action: 'closed' } } });
    await expectAnswer('previewEvent', 404, { path: { id }, body: { event_id: '1-9' } });
    await putDelivery(bed, id, triple);
    await untilListed('listDeliveries', { path: { id }, query: { state: 'failing' } }, 1);
    await expectAnswer('findDeliveries', 200, { query: { webhook_id: listener_id, status: '0', from: '0' } });
    await expectAnswer('findDeliveries', 400, { query: { status: 'x' } });
    await putEvent(bed, emitter_id);
    await bed.withLimits({ viewsMs: 10 }, async () => {
      for (const act of ['getDelivery', 'retryDelivery', 'discardDelivery']) {
        await expectAnswer(act, act === 'getDelivery' ? 200 : 202, { path: { id: deliveryId } });
        await expectAnswer(act, 404, { path: { id: 'msg_1111111111111111' } });
      }
      await expectAnswer('discardParked', 200, { path: { id }, query: { limit: '1' } });
      await expectAnswer('discardParked', 404, { path: { id: 'sub_1111111111111111' } });
    });
    const replay = await expectReplayAnswers(id);
    await expectAnswer('listReplays', 200, { path: { id } });
    await expectAnswer('getReplay', 200, { path: { id, replay } });
    await expectAnswer('cancelReplay', 202, { path: { id, replay } });
    await expectAnswer('deleteSubscription', 204, { query: triple });
    const again = idOf(await expectAnswer('createSubscription', 200, { body: triple }));
    await expectAnswer('deleteSubscriptionById', 204, { path: { id: again } });
  });

  test('for auto-subscriptions', async () => {
    const listener_id = idOf(await expectAnswer('createWebhook', 200, { body: { url } }));
    const query = { listener_id, event_name: '$errors' };
    await expectAnswer('createAutoSubscription', 200, { query });
    await expectAnswer('createAutoSubscription', 404, { query: { listener_id: 'wh_0000000000000000' } });
    await expectAnswer('listAutoSubscriptions', 200);
    await expectAnswer('deleteAutoSubscription', 204, { query });
    await expectAnswer('deleteAutoSubscription', 404, { query });
    const id = idOf(await expectAnswer('createAutoSubscription', 200, { body: query }));
    await expectAnswer('deleteAutoSubscriptionById', 204, { path: { id } });
  });

  test('for signed history', () => callSignedHistory(bed, expectAnswer));

  test('for a service that is unavailable', async () => {
    bed.log.failNextAppend('unavailable');
    await expectAnswer('createWebhook', 503, { body: { url } });
  });

  test('for every operation of the API: each success was requested', () => {
    const successes = all()
      .filter(({ path }) => path.startsWith('/v1'))
      .flatMap(({ operationId, responses }) =>
        Object.keys(responses)
          .filter((status) => status.startsWith('2'))
          .map((status) => `${operationId} ${status}`),
      );
    expect(successes.filter((one) => !seen.has(one))).toEqual([]);
  });
});

/** Expects 202 from an operation that does not finish. */
function early(operationId: string, call: Call): Promise<Answer> {
  return bed.answeringEarly(() => expectAnswer(operationId, 202, call));
}

/** Checks the answers for a replay and a dry run, both finished, and returns the id of the replay. */
async function expectReplayAnswers(id: string): Promise<string> {
  const [asked] = await Promise.all([expectAnswer('startReplay', 202, { path: { id }, body: {} }), putReplay(bed, 0)]);
  await Promise.all([expectAnswer('startReplay', 200, { path: { id }, body: { dry_run: true } }), putReplay(bed, 1)]);
  return idOf(asked);
}
