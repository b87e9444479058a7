import { jest } from '@jest/globals';
import { accountCommands } from '../../../domain/account/samples.fake.ts';
import type { TopicName } from '../../../domain/flow.ts';
import { partitionOf, topics } from '../../../domain/flow.ts';
import type { LogRecord } from '../../../domain/message.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import { ControlLog, manifestOf, masterKey, sealed, workspace } from '../control-log.fake.ts';
import { ControlPlane } from '../control-plane.ts';
import { restore } from './restore-control-plane.ts';

const dayMs = 24 * 60 * 60 * 1000;
const definitions = ['sources', 'webhooks', 'subscriptions', 'answers'] as const;
const settings = { url: 'https://example.com', name: null, description: null, ordered: true, retrySchedule: null };
const webhook = (webhookId: string, key?: string) => ({
  ...settings,
  webhookId,
  userId: 'u_1',
  signingKey: sealed('whsec_x'),
  ...(key === undefined ? { fingerprint: null } : { fingerprint: 'f', requestKey: key }),
});
const subscription = (subscriptionId: string, emitterId: string, listenerId = 'wh_1') => ({
  subscriptionId,
  emitterId,
  listenerId,
  eventName: null,
  fingerprint: null,
});

/** The current definitions by topic: data by key. */
function currentDefinitions(log: MemoryLog): Record<string, unknown> {
  const entriesOn = (topic: TopicName) =>
    log
      .records(topic)
      .filter(({ data, key }) => data !== undefined && key !== 'folded')
      .map(({ partition, key, data }) => [`${partition} ${key}`, data] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(definitions.map((topic) => [topic, Object.fromEntries(entriesOn(topic))]));
}

async function life(control: ControlLog): Promise<void> {
  await control.createWorkspace();
  await control.send('CreateWebhook', webhook('wh_1', 'k1'));
  await control.send('CreateWebhook', webhook('wh_2', 'k2'));
  await control.deploy('dc_1');
  await control.deploy('dc_2');
  await control.settle();
  await control.send('CreateSubscription', subscription('sub_1', 'dc_1'));
  await control.send('CreateSubscription', subscription('sub_2', 'dc_*'));
  await control.send('CreateSubscription', subscription('sub_3', 'dc_2', 'wh_2'));
  await control.send('DisableWebhook', { webhookId: 'wh_1', reason: 'gone' });
  await control.send('DeleteSource', { sourceId: 'dc_2' });
  await control.send('DeleteWebhook', { webhookId: 'wh_2' });
  await control.settle();
}

/** The same log as left by an earlier version without definitions, except for `some` of them. */
async function withoutDefinitions(log: MemoryLog, some: readonly LogRecord[] = []): Promise<MemoryLog> {
  const older = new MemoryLog({ partitions: log.partitions });
  for (const record of log.records('commands')) await older.request({ topic: 'commands', partition: 0, record });
  const writer = await older.own('lifecycle', 0);
  const copies = (['workspaces', 'keys', 'components', 'listeners'] as const).flatMap((topic) =>
    log.records(topic).map((record) => ({ topic, partition: record.partition, record })),
  );
  const leftovers = some.map((record) => ({ topic: 'webhooks' as const, partition: 0, record }));
  await writer.append([...copies, ...leftovers], { 'commands/0': await older.end('commands', 0) });
  return older;
}

const on = (log: MemoryLog): ControlLog => Object.assign(new ControlLog(), { log });

test('everything that exists has a definition besides its history, each in its partition', async () => {
  const control = new ControlLog({ manifest: manifestOf({ props: [{ name: 'http', type: '$.interface.http' }] }) });
  await life(control);
  const there = currentDefinitions(control.log) as Record<string, Record<string, object>>;
  const ofSource = partitionOf('dc_1', 2);
  expect(Object.keys(there['sources'] ?? {})).toEqual([`${ofSource} dc_1`]);
  expect(there['sources']?.[`${ofSource} dc_1`]).toMatchObject({
    status: 'deployed',
    nameSlug: 'my-feed',
    http: { customResponse: false },
    configuredProps: null,
  });
  expect(there['webhooks']).toEqual({ '0 wh_1': expect.objectContaining({ disabled: true, url: settings.url }) });
  expect(Object.keys(there['subscriptions'] ?? {}).sort()).toEqual([`${ofSource} sub_1`, '0 sub_2', '1 sub_2'].sort());
  expect(there['answers']).toEqual({
    '0 k2': { key: 'k2', id: 'wh_2', fingerprint: 'f', answeredAt: 1_000, refusal: null },
  });
});

test('a definition names offsets from which the code and the manifest can be read', async () => {
  const control = new ControlLog();
  await life(control);
  const { codeFrom, configuredFrom } = control.newest('sources', 'SourceDefined', 'dc_1') as Record<string, number>;
  const bounds = { recordsMax: 100, bytesMax: 1e9 };
  for (const [from, type] of [
    [codeFrom, 'SourceDeploying'],
    [configuredFrom, 'SourceConfigured'],
  ] as const) {
    const { records } = await control.log.read('components', partitionOf('dc_1', 2), from ?? NaN, bounds);
    expect(records.some((record) => record.type === type && record.key === 'dc_1')).toBe(true);
  }
});

test('a new subscription to $logs is announced among the triggers, in one append, and other subscriptions are not', async () => {
  const control = new ControlLog();
  await life(control);
  const logsOf = (id: string, emitterId: string) => ({ ...subscription(id, emitterId, 'wh_3'), eventName: '$logs' });
  await control.send('CreateWebhook', webhook('wh_3'));
  await control.send('CreateSubscription', subscription('sub_4', 'dc_1', 'wh_3'));
  await control.feed(100);
  await control.flush();
  const requested = () => control.log.records('triggers').filter(({ type }) => type === 'LogsRequested');
  expect(requested()).toEqual([]);
  const { appends } = control;
  for (const emitterId of ['dc_1', 'dc_*'])
    await control.send('CreateSubscription', logsOf(`sub_${emitterId}`, emitterId));
  await control.send('CreateSubscription', logsOf('sub_again', 'dc_1'));
  await control.feed(100);
  await control.flush();
  expect(control.appends).toBe(appends + 1);
  const sourcePartition = partitionOf('dc_1', 2);
  expect(requested().map(({ partition, data, version }) => [partition, data, version])).toEqual(
    [[0, 'dc_*'] as const, [1, 'dc_*'] as const, [sourcePartition, 'dc_1'] as const]
      .toSorted(([a, one], [b]) => a - b || (one === 'dc_1' ? -1 : 1))
      .map(([partition, emitterId]) => [partition, { emitterId }, 4]),
  );
});

test('filters are written just before their subscription, are known to the next owner, and are removed with it', async () => {
  const control = new ControlLog();
  await control.createWorkspace();
  await control.send('CreateWebhook', webhook('wh_1'));
  const filter = { kind: ['new'] };
  await control.send('CreateSubscription', { ...subscription('sub_1', 'dc_*'), filter });
  await control.settle();
  const own = () => control.log.records('subscriptions').filter(({ key }) => key.startsWith('sub_'));
  expect(own().map(({ partition, type, version }) => [partition, type, version])).toEqual([
    [0, 'FilterDefined', 5],
    [0, 'SubscriptionDefined', 1],
    [1, 'FilterDefined', 5],
    [1, 'SubscriptionDefined', 1],
  ]);
  const next = on(control.log);
  await next.send('UpdateSubscription', { subscriptionId: 'sub_1', filter: null });
  await next.settle();
  const filters = [
    { channelEnds: [], filter },
    { channelEnds: [], version: 1, filter: null },
  ];
  for (const partition of [0, 1])
    expect(currentDefinitions(control.log)['subscriptions']).toMatchObject({
      [`${partition} sub_1/filter`]: { subscriptionId: 'sub_1', partition, filters },
    });
  const requests = control.log.records('triggers').filter(({ type }) => type === 'FilterChangeRequested');
  expect(requests.map(({ partition, key, data }) => [partition, key, data])).toEqual(
    [0, 1].map((partition) => [partition, 'sub_1', { subscriptionId: 'sub_1', version: 1 }]),
  );
  await on(control.log).send('DeleteWebhook', { webhookId: 'wh_1' });
  const last = on(control.log);
  await last.settle();
  expect(currentDefinitions(control.log)['subscriptions']).toEqual({});
});

test('an owner continues from the definitions alone and does not read the histories', async () => {
  const control = new ControlLog();
  await life(control);
  control.kill();
  const read = jest.spyOn(control.log, 'read');
  await control.send('DeleteSource', { sourceId: 'dc_1' });
  await control.send('CreateWebhook', webhook('wh_9', 'k2'));
  await control.send('CreateWebhook', webhook('wh_9', 'k1'));
  await control.settle();
  const topicsRead = new Set(read.mock.calls.map(([topic]) => topic));
  expect([topicsRead.has('components'), topicsRead.has('listeners')]).toEqual([false, false]);
  expect(control.types('components').slice(-2)).toEqual(['SourceDeleting', 'SourceDeleted']);
  expect(
    control.log
      .records('listeners')
      .slice(-2)
      .map(({ data }) => data),
  ).toMatchObject([{ reason: 'idempotency_conflict' }, { reason: 'repeated', existingId: 'wh_1' }]);
});

test.each(['describe', 'deploy', 'activate'])(
  'a deploy that was interrupted after %s continues from its definition',
  async (kind) => {
    const hooks = manifestOf({ hooks: ['deploy', 'activate'] });
    const control = new ControlLog({ manifest: hooks });
    await control.createWorkspace();
    await control.deploy('dc_1');
    let killed = false;
    control.onAppend = () => {
      if (killed || !JSON.stringify(control.log.records('hooks')).includes(`"text":"${kind}"`)) return 'go on';
      killed = true;
      return 'kill after';
    };
    await control.settle();
    expect(killed).toBe(true);
    const { console } = control.newest('components', 'SourceDeployed') as { console: { text: string }[] };
    expect(console.map(({ text }) => text)).toEqual(['describe', 'deploy', 'activate']);
  },
);

test('a log without definitions is folded once, into the definitions that would have been there', async () => {
  const lived = new ControlLog();
  await life(lived);
  const control = on(await withoutDefinitions(lived.log));
  await control.flush();
  const withoutOffsets = (all: Record<string, unknown>) =>
    JSON.stringify(all).replaceAll(/"(codeFrom|configuredFrom)":\d+/g, '');
  expect(withoutOffsets(currentDefinitions(control.log))).toBe(withoutOffsets(currentDefinitions(lived.log)));
  for (const [topic, count] of [
    ['sources', 2],
    ['webhooks', 1],
    ['subscriptions', 2],
  ] as const)
    expect(control.types(topic).filter((type) => type === 'DefinitionsFolded')).toHaveLength(count);
  const before = control.appends;
  control.kill();
  await control.flush();
  expect(control.appends).toBe(before);
});

test('an interrupted fold starts again and removes definitions of what was deleted in the meantime', async () => {
  const lived = new ControlLog();
  await life(lived);
  const defined = lived.log.records('webhooks').filter(({ type }) => type === 'WebhookDefined');
  const deleted = {
    ...defined[0],
    key: 'wh_7',
    data: { ...(defined[0]?.data as object), webhookId: 'wh_7' },
  } as LogRecord;
  const control = on(await withoutDefinitions(lived.log, [deleted]));
  control.onAppend = () => 'kill before';
  await control.flush();
  control.onAppend = () => 'go on';
  await control.flush();
  expect(Object.keys(currentDefinitions(control.log)['webhooks'] as object)).toEqual(['0 wh_1']);
});

test('commands that arrive while a log is folded are carried out afterwards', async () => {
  const lived = new ControlLog();
  await life(lived);
  const control = on(await withoutDefinitions(lived.log));
  await control.send('DeleteSource', { sourceId: 'dc_1' });
  await control.feed(10);
  await control.flush();
  expect(currentDefinitions(control.log)).toMatchObject({ sources: {} });
  expect(control.types('sources').filter((type) => type === 'DefinitionsFolded')).toHaveLength(2);
});

test('folds the log again when a closing record was replaced by a tombstone', async () => {
  const control = new ControlLog();
  await life(control);
  const before = currentDefinitions(control.log);
  control.kill();
  const folded = control.log.records('sources').find(({ type }) => type === 'DefinitionsFolded');
  const writer = await control.log.own('lifecycle', 0);
  const record = { ...folded, data: undefined } as LogRecord;
  await writer.append([{ topic: 'sources', partition: folded?.partition ?? 0, record }], writer.mark.positions);
  await control.flush();
  const withoutOffsets = (all: Record<string, unknown>) =>
    JSON.stringify(all).replaceAll(/"(codeFrom|configuredFrom)":\d+/g, '');
  expect(withoutOffsets(currentDefinitions(control.log))).toBe(withoutOffsets(before));
});

test('an Idempotency-Key is forgotten a day after its answer, even by a later owner', async () => {
  const control = new ControlLog();
  await life(control);
  control.kill();
  control.now += dayMs;
  await control.send('CreateWebhook', webhook('wh_8', 'k2'));
  await control.send('CreateWebhook', webhook('wh_9', 'k1'));
  await control.settle();
  const there = currentDefinitions(control.log);
  expect(Object.keys(there['webhooks'] as object)).toEqual(['0 wh_1', '0 wh_8', '0 wh_9']);
  expect(there['answers']).toEqual({});
});

test('no definition is left after everything is deleted, even if commands were repeated', async () => {
  const control = new ControlLog({ manifest: manifestOf(), failing: [] });
  await life(control);
  await control.send('DeleteSource', { sourceId: 'dc_1' });
  await control.send('DeleteSource', { sourceId: 'dc_1' }, 'cmd_again');
  await control.send('DeleteWebhook', { webhookId: 'wh_1' });
  await control.settle();
  control.now += dayMs;
  await control.createWorkspace();
  await control.settle();
  expect(currentDefinitions(control.log)).toEqual({ sources: {}, webhooks: {}, subscriptions: {}, answers: {} });
  expect(workspace).toBe('o_home');
});

test('the next owner knows the accounts that there are, with the requests that created them, and no deleted one', async () => {
  const control = new ControlLog();
  await control.createWorkspace();
  const create = accountCommands.CreateAccount;
  for (const accountId of ['apn_1', 'apn_2'])
    await control.send('CreateAccount', { ...create, accountId, requestKey: accountId });
  await control.send('DeleteAccount', { accountId: 'apn_2', force: false });
  await control.settle();
  control.kill();
  await control.send('CreateAccount', { ...create, accountId: 'apn_3', requestKey: 'apn_1' });
  await control.send('UpdateAccount', { ...accountCommands.UpdateAccount, accountId: 'apn_2' });
  await control.send('DeleteAccount', { accountId: 'apn_1', force: false });
  await control.settle();
  expect(control.newest('connections', 'AccountCreateRefused')).toMatchObject({ existingId: 'apn_1' });
  expect(control.newest('connections', 'AccountUpdateRefused')).toMatchObject({ reason: 'account_not_found' });
  expect(control.newest('connections', 'AccountDeleted', 'apn_1')).toMatchObject({ accountId: 'apn_1' });
});

test('ignores older and deleted definitions on a log that is not compacted yet', async () => {
  const control = new ControlLog();
  for (const topic of definitions) jest.replaceProperty(topics[topic], 'compacted', false as never);
  await life(control);
  const context = { log: control.log, tolerate: (_: unknown, take: () => unknown) => take() };
  const ambient = { now: () => 1, randomBytes: (count: number) => Buffer.alloc(count) };
  const { plane } = await restore(() => new ControlPlane({ masterKey, ambient }), context as never);
  jest.restoreAllMocks();
  const { sources, listeners } = plane;
  expect([...sources.byId.keys()]).toEqual(['dc_1']);
  expect([[...listeners.webhooks.keys()], [...listeners.subscriptions.keys()].sort()]).toEqual([
    ['wh_1'],
    ['sub_1', 'sub_2'],
  ]);
  expect(listeners.webhooks.get('wh_1')).toMatchObject({ disabled: true });
});
