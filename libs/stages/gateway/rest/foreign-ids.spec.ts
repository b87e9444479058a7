// Requests with ids of another workspace's records: in every path, and wherever else a request names one.
import { setTimeout as delay } from 'node:timers/promises';
import type { Manifest } from '../../../domain/component/manifest.ts';
import { until } from '../../../../test/support/until.ts';
import { deliveryId, putDelivery, putEvent, putReplay } from '../openapi/delivery-views.fake.ts';
import type { OpenApi } from '../openapi/schema-faults.fake.ts';
import { TestBed } from '../test-bed.fake.ts';
import type { Answer, TestRequest } from '../test-bed.fake.ts';
import { askFromSecondWorkspace } from './second-workspace.fake.ts';
import type { Ask } from './second-workspace.fake.ts';

const manifest: Manifest = {
  name: 'Shared',
  version: '0.0.1',
  key: 'acme-shared',
  type: 'source',
  props: [
    { name: 'github', type: 'app', app: 'github', optional: true },
    { name: 'size', type: 'integer', optional: true, options: [3, 5] },
  ],
  hooks: [],
  methods: [],
  additionalProps: false,
};

type Owned = Record<
  | 'workspace'
  | 'source'
  | 'channel'
  | 'event'
  | 'run'
  | 'webhook'
  | 'subscription'
  | 'auto'
  | 'deleted'
  | 'delivery'
  | 'replay'
  | 'account'
  | 'store'
  | 'key'
  | 'component',
  string
>;

const unknownIds: Owned = {
  workspace: 'o_0000000000000000',
  source: 'dc_0000000000000000',
  channel: 'dc_0000000000000000',
  event: '1000-1',
  run: 'run_0000000000000000',
  webhook: 'wh_0000000000000000',
  subscription: 'sub_0000000000000000',
  auto: 'sub_0000000000000000',
  deleted: 'sub_0000000000000000',
  delivery: 'msg_9999999999999999',
  replay: 'rpl_0000000000000000',
  account: 'apn_0000000000000000',
  store: 'ds_0000000000000000',
  key: 'key_0000000000000000',
  component: 'sc_0000000000000000',
};

let bed: TestBed;
let askAsStranger: Ask;
let foreignIds: Owned;
let ownIds: Omit<Owned, 'delivery' | 'replay'>;
beforeAll(async () => {
  bed = await TestBed.start({ limits: { outcomeMs: 5_000 } });
  bed.components.set('shared', {
    manifest,
    run: ({ emit }) => emit({ event: 'secret' }),
    forms: { configure: ({ props, emit }) => emit({ event: { options: [JSON.stringify(props)], context: null } }) },
  });
  askAsStranger = await askFromSecondWorkspace(bed);
  const ofFirst: Ask = (...asked) => bed.call(...asked);
  const { subscription, channel, webhook, ...others } = await createEveryKind(ofFirst);
  await putDelivery(bed, subscription, { emitter_id: channel, listener_id: webhook });
  await putEvent(bed, channel);
  const [replay] = await Promise.all([
    create(ofFirst, `/v1/subscriptions/${subscription}/replay`, { body: {} }),
    putReplay(bed, 0),
  ]);
  foreignIds = { ...others, subscription, channel, webhook, delivery: deliveryId, replay: replay.id };
  ownIds = await createEveryKind(askAsStranger);
});
afterAll(() => bed?.stop());

async function create(ask: Ask, url: string, asked: TestRequest = {}): Promise<{ id: string; owner_id?: string }> {
  const { status, body } = await ask('POST', url, asked);
  expect([url, status, body.error]).toEqual([url, expect.any(Number), undefined]);
  return ([body.data].flat() as { id: string }[])[0] ?? { id: '' };
}

async function createEveryKind(ask: Ask): Promise<typeof ownIds> {
  const url = 'https://example.com/';
  const source = await create(ask, '/v1/sources', { body: { component_code: 'shared' } });
  const { id: channel } = await create(ask, '/v1/sources', { body: { kind: 'channel', name: 'Orders' } });
  const { id: webhook } = await create(ask, '/v1/webhooks', { body: { url } });
  const { id: other } = await create(ask, '/v1/webhooks', { body: { url } });
  const subscribe = (emitter_id: string, listener_id: string): Promise<{ id: string }> =>
    create(ask, '/v1/subscriptions', { body: { emitter_id, listener_id } });
  const { id: deleted } = await subscribe(channel, other);
  expect((await ask('DELETE', `/v1/subscriptions/${deleted}`)).status).toBe(204);
  const credentials = { token: 'ghp_hush-hush' };
  const { id: store } = await create(ask, '/v1/data_stores', { body: { name: 'Seen' } });
  expect((await ask('PUT', `/v1/data_stores/${store}/record`, { body: { key: 'a', value: 1 } })).status).toBe(200);
  const run = await create(ask, `/v1/sources/${source.id}/run`, { body: { event: {} }, query: { wait: '1' } });
  const event = await create(ask, `/v1/sources/${channel}/events`, { body: { event: 'secret' } });
  await until('its event', async () =>
    (await ask('GET', `/v1/sources/${channel}/event_summaries`)).text.includes(event.id),
  );
  return {
    workspace: source.owner_id ?? '',
    source: source.id,
    channel,
    event: event.id,
    run: run.id,
    webhook,
    subscription: (await subscribe(channel, webhook)).id,
    auto: (await subscribe('dc_*', webhook)).id,
    deleted,
    account: (await create(ask, '/v1/accounts', { body: { app: 'github', credentials } })).id,
    store,
    key: (await create(ask, '/v1/api_keys', { body: { name: 'other' } })).id,
    component: (await create(ask, '/v1/components', { body: { component_code: 'shared', publish: true } })).id,
  };
}

/** What an operation needs in addition to its path. */
const neededInputs: Readonly<Record<string, TestRequest>> = {
  publishEvents: { body: { event: 'forged' } },
  updateSource: { body: { component_code: 'shared', active: false } },
  updateWebhook: { body: { headers: { 'x-key': '[secret]' } } },
  updateAccount: { body: { name: 'n' } },
  updateSubscription: { body: { filter: null } },
  previewFilter: { body: { event: {} } },
  configureSource: { body: { prop_name: 'size' } },
  startReplay: { body: {} },
  setRecord: { body: { key: 'a', value: 2 } },
  getRecord: { query: { key: 'a' } },
  deleteRecord: { query: { key: 'a' } },
  searchComponents: { query: { app: 'acme' } },
  proveRecord: { query: { id: 'req_0000000000000000' } },
  proveConsistency: { query: { from: 'events-0-1-1', to: 'events-0-2-2' } },
};

/** The kind of the id in a path, by the segment before it. */
const kinds: Readonly<Record<string, keyof Owned>> = {
  sources: 'source',
  dc: 'source',
  webhooks: 'webhook',
  subscriptions: 'subscription',
  auto_subscriptions: 'auto',
  deliveries: 'delivery',
  runs: 'run',
  replays: 'replay',
  accounts: 'account',
  data_stores: 'store',
  api_keys: 'key',
  components: 'component',
  orgs: 'workspace',
  workspaces: 'workspace',
};

/** Paths that belong to no workspace: apps and components of the registry, and the endpoint of a source. */
const pathsOfNobody = /\{(?:app|key|endpointKey)\}/;

const urlOf = (path: string, ids: Owned): string =>
  path.replace(/(\w+)\/\{\w+\}/g, (_whole, before: string) => `${before}/${ids[kinds[before] ?? 'event']}`);

/** An answer that takes longer is a stream, which ends only with its client. */
const answerMs = 15_000;

/** The answer's status and text, without the ids. */
async function answerTo(ids: Owned, send: (ids: Owned) => Promise<Answer>): Promise<string> {
  const answer = await Promise.race([send(ids), delay(answerMs, undefined, { ref: false })]);
  if (answer === undefined) return 'no end of the answer';
  const { status, text } = answer;
  const withoutIds = Object.values(ids).reduce((shown, id) => shown.replaceAll(id, '{id}'), text);
  return `${status} ${withoutIds.replace(/"source_id":"dc_\w+"/, '"source_id":"new"')}`;
}

interface Route {
  readonly method: Parameters<Ask>[0];
  readonly path: string;
  readonly operationId: string;
}

async function everyRoute(): Promise<readonly Route[]> {
  const { paths } = JSON.parse((await bed.send('GET', '/openapi.json')).text) as OpenApi;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      method: method.toUpperCase() as Route['method'],
      path,
      operationId,
    })),
  );
}

const routesWithIds = async (): Promise<readonly Route[]> =>
  (await everyRoute()).filter(({ path }) => path.includes('{') && !pathsOfNobody.test(path));

test('every route answers for records of another workspace as for unknown ones', async () => {
  const routes = await routesWithIds();
  expect(routes.length).toBeGreaterThan(40);
  const answersFor = (ids: Owned): Promise<readonly string[]> =>
    Promise.all(
      routes.map(({ method, path, operationId }) =>
        answerTo(ids, (of) => askAsStranger(method, urlOf(path, of), neededInputs[operationId])),
      ),
    );
  const labelled = (answers: readonly string[]): readonly string[] =>
    answers.map((answer, nth) => `${routes[nth]?.operationId}: ${answer}`);
  const unknown = await answersFor(unknownIds);
  expect(labelled(unknown.map((answer) => answer.slice(0, 3)))).toEqual(labelled(unknown.map(() => '404')));
  expect(labelled(await answersFor(foreignIds))).toEqual(labelled(unknown));
});

test('every record that those routes name exists for its own workspace', async () => {
  const routes = await routesWithIds();
  for (const { method, path, operationId } of routes) {
    if (method !== 'GET' || path.endsWith('/sse') || path.startsWith('/sse')) continue;
    const url = urlOf(path, foreignIds);
    expect([url, (await bed.call(method, url, neededInputs[operationId])).status]).toEqual([url, 200]);
  }
});

test('every list of the workspace answers 404 if another workspace is named', async () => {
  const lists = (await everyRoute()).filter(
    ({ method, path }) => method === 'GET' && path.startsWith('/v1/') && !path.includes('{'),
  );
  expect(lists.map(({ operationId }) => operationId)).toEqual(expect.arrayContaining(['listHistory', 'getStats']));
  for (const { path, operationId } of lists)
    for (const name of ['org_id', 'workspace_id']) {
      const askForWorkspace = (workspace: string): Promise<Answer> =>
        askAsStranger('GET', path, { query: { ...neededInputs[operationId]?.query, [name]: workspace } });
      expect([path, (await askForWorkspace(foreignIds.workspace)).text]).toEqual([
        path,
        (await askForWorkspace(unknownIds.workspace)).text,
      ]);
      expect([path, (await askForWorkspace(foreignIds.workspace)).status]).toEqual([path, 404]);
    }
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const withProps = (account: string): TestRequest => {
  const configured_props = { github: { authProvisionId: account } };
  return { body: { component_code: 'shared', configured_props } };
};

/** Requests that name a record in addition to one of the caller's own, or outside a path. */
const namedRecords: Readonly<Record<string, (ids: Owned) => readonly [Route['method'], string, TestRequest?]>> = {
  'a run beside a source': ({ run }) => ['GET', `/v1/sources/${ownIds.source}/runs/${run}`],
  'a source beside a run': ({ source }) => ['GET', `/v1/sources/${source}/runs/${ownIds.run}`],
  'a replay beside a subscription': ({ replay }) => [
    'GET',
    `/v1/subscriptions/${ownIds.subscription}/replays/${replay}`,
  ],
  'a replay to cancel': ({ replay }) => ['POST', `/v1/subscriptions/${ownIds.subscription}/replays/${replay}/cancel`],
  'a deleted subscription': ({ deleted }) => ['GET', `/v1/subscriptions/${deleted}/deliveries`],
  'a source to pause': ({ source }) => ['PUT', `/v1/sources/${source}`, { body: { active: false } }],
  'a source to give values to': ({ source }) => ['PUT', `/v1/sources/${source}`, { body: { configured_props: {} } }],
  'a webhook to change': ({ webhook }) => ['PUT', `/v1/webhooks/${webhook}`, { body: { name: 'n' } }],
  'a channel to publish to': ({ channel }) => ['POST', `/v1/sources/${channel}/events`, { body: { event: 'forged' } }],
  'an event that a filter is tried on': ({ channel, event }) => [
    'POST',
    `/v1/subscriptions/${ownIds.auto}/preview`,
    { body: { emitter_id: channel, event_id: event } },
  ],
  'an event to start at': ({ channel, event }) => [
    'POST',
    '/v1/subscriptions',
    { body: { emitter_id: channel, listener_id: ownIds.webhook, start: { event_id: event } } },
  ],
  'a component to deploy': ({ component }) => ['POST', '/v1/sources', { body: { component_id: component } }],
  'a component to ask': ({ component }) => ['POST', '/v1/components/props', { body: { component_id: component } }],
  'an account of a new source': ({ account }) => ['POST', '/v1/sources', withProps(account)],
  'an account of a source': ({ account }) => ['PUT', `/v1/sources/${ownIds.source}`, withProps(account)],
  'an account that a form is filled in with': ({ account }) => {
    const { body } = withProps(account);
    return ['POST', '/v1/components/configure', { body: { ...(body as object), prop_name: 'size' } }];
  },
  'an account of a form of a source': ({ account }) => {
    const configured_props = { github: { authProvisionId: account } };
    return ['POST', `/v1/sources/${ownIds.source}/configure`, { body: { configured_props, prop_name: 'size' } }];
  },
  'a run as a cursor': ({ run }) => ['GET', `/v1/sources/${ownIds.source}/runs`, { query: { after: base64(run) } }],
  'a replay as a cursor': ({ replay }) => [
    'GET',
    `/v1/subscriptions/${ownIds.subscription}/replays`,
    { query: { after: base64(replay) } },
  ],
  'an account as a cursor': ({ account }) => ['GET', '/v1/accounts', { query: { after: base64(account) } }],
  'a deleted subscription as a cursor': ({ deleted }) => [
    'GET',
    '/v1/subscriptions',
    { query: { after: base64(deleted) } },
  ],
};

test.each(Object.entries(namedRecords))('%s of another workspace is like an unknown one', async (_what, of) => {
  const send = (ids: Owned): Promise<Answer> => askAsStranger(...of(ids));
  const foreignAnswer = await answerTo(foreignIds, send);
  expect(foreignAnswer).toBe(await answerTo(unknownIds, send));
  expect(foreignAnswer).toMatch(/^40[04] /);
});
