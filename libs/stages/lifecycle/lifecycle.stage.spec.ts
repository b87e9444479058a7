import { samples } from '../../domain/record/samples.fake.ts';
import type { HookEvent } from '../../domain/source/messages.ts';
import { partitionOf } from '../../domain/flow.ts';
import type { StoredRecord } from '../../domain/message.ts';
import { unseal } from '../../domain/secrets/seal.ts';
import { sizes } from '../../domain/sizes.ts';
import { ControlLog, manifestOf, masterKey, sealed, workspace } from './control-log.fake.ts';

const topics = ['workspaces', 'keys', 'components', 'listeners', 'triggers'] as const;
const allHooks = manifestOf({
  hooks: ['deploy', 'activate', 'deactivate'],
  props: [{ name: 'token', type: 'string', secret: true }],
});
const webhook = {
  webhookId: 'wh_1',
  userId: 'u_1',
  fingerprint: null,
  url: 'https://example.com',
  name: null,
  description: null,
  ordered: true,
  retrySchedule: null,
  signingKey: sealed('whsec_x'),
};
const subscription = (subscriptionId: string, emitterId: string, eventName: string | null = null) => ({
  subscriptionId,
  emitterId,
  listenerId: 'wh_1',
  eventName,
  fingerprint: null,
});

/** A whole life: deploy, listen, repeat, delete. */
async function life(control: ControlLog): Promise<readonly (readonly StoredRecord[])[]> {
  await control.createWorkspace();
  await control.deploy('dc_1', { token: 'hush-hush' });
  await control.settle();
  await control.send('CreateWebhook', webhook);
  await control.send('CreateSubscription', subscription('sub_1', 'dc_1'));
  await control.send('CreateSubscription', subscription('sub_2', 'dc_*'));
  await control.createWorkspace();
  await control.deploy('dc_2', { token: 'other' });
  await control.settle();
  await control.send('DeleteSource', { sourceId: 'dc_1' });
  await control.settle();
  return topics.map((topic) => control.log.records(topic));
}

const contents = (records: readonly (readonly StoredRecord[])[]) =>
  records.map((all) => all.map(({ id, type, key, data, correlationId }) => ({ id, type, key, data, correlationId })));

test('a deploy records every step as an event and requests every hook by a trigger', async () => {
  const control = new ControlLog({ manifest: allHooks });
  await control.createWorkspace();
  const command = await control.deploy('dc_1', { token: 'hush-hush' });
  await control.settle();
  expect(control.types('components')).toEqual(['SourceDeploying', 'SourceConfigured', 'SourceDeployed']);
  const triggers = control.log.records('triggers');
  const [asked, ...others] = ['describe', 'deploy', 'activate'].map((kind) => ({
    sourceId: 'dc_1',
    kind,
    revision: 1,
  }));
  const { configuredProps } = command.data as { readonly configuredProps: object };
  expect(triggers.map(({ data }) => data)).toEqual([{ ...asked, asked: configuredProps }, ...others]);
  for (const record of [...control.log.records('components'), ...triggers]) {
    expect(record).toMatchObject({ workspace, key: 'dc_1', partition: partitionOf('dc_1', 2), at: 1_000 });
    expect(record.correlationId).toBe(command.correlationId);
  }
  expect(control.log.records('components')[0]?.causationId).toBe(command.id);
  const { console } = control.newest('components', 'SourceDeployed') as { console: { text: string }[] };
  expect(console.map(({ text }) => text)).toEqual(['describe', 'deploy', 'activate']);
});

test('a secret prop is never on the log unsealed', async () => {
  const control = new ControlLog({ manifest: allHooks });
  await life(control);
  for (const topic of topics) expect(JSON.stringify(control.log.records(topic))).not.toContain('hush-hush');
  const { props } = control.newest('components', 'SourceConfigured', 'dc_1') as {
    props: { token: { $sealed: string } };
  };
  expect(unseal(Buffer.alloc(32, 2), props.token, workspace)).toBe('hush-hush');
});

test.each(['kill before', 'kill after'] as const)(
  'a kill at any append (%s) leaves the same records on the log, none of them twice',
  async (fate) => {
    const undisturbed = new ControlLog({ manifest: allHooks });
    const expected = contents(await life(undisturbed));
    expect(undisturbed.appends).toBeGreaterThan(10);
    for (let at = 0; at < undisturbed.appends; at++) {
      const control = new ControlLog({ manifest: allHooks });
      let append = 0;
      control.onAppend = () => (append++ === at ? fate : 'go on');
      expect(contents(await life(control))).toEqual(expected);
    }
  },
);

test('a kill at every append only repeats what was lost', async () => {
  const expected = contents(await life(new ControlLog({ manifest: allHooks })));
  const control = new ControlLog({ manifest: allHooks });
  let append = 0;
  control.onAppend = () => (append++ % 2 === 0 ? 'kill before' : 'kill after');
  expect(contents(await life(control))).toEqual(expected);
});

test('a failing hook refuses the deploy and ends the subscriptions that were made in the meantime', async () => {
  const control = new ControlLog({ manifest: allHooks, failing: ['activate'] });
  await control.createWorkspace();
  await control.send('CreateWebhook', webhook);
  await control.deploy('dc_1', { token: 'hush-hush' });
  while (!control.types('components').includes('SourceConfigured')) {
    await control.feed();
    await control.flush();
    const [trigger] = control.log.records('triggers');
    if (trigger !== undefined && control.types('hooks').length === 0) await control.outcome(described('dc_1'));
  }
  await control.send('CreateSubscription', subscription('sub_1', 'dc_1'));
  await control.settle();
  expect(control.types('components').at(-1)).toBe('SourceDeployRefused');
  expect(control.types('listeners')).toEqual(['WebhookCreated', 'SubscriptionCreated', 'EmitterGone']);
});

function described(sourceId: string): HookEvent {
  const envelope = { version: 1, at: 0, workspace, correlationId: 'c', causationId: 'c' };
  const data = { sourceId, revision: 1, manifest: allHooks, console: [] };
  return { ...envelope, id: 'rec_described', key: sourceId, type: 'SourceDescribed', data };
}

test('outcomes that nothing waits for only move the position', async () => {
  const control = new ControlLog();
  await control.createWorkspace();
  await control.deploy('dc_1');
  await control.settle();
  const before = control.types('components');
  const late = { sourceId: 'dc_1', revision: 1, kind: 'activate' as const, console: [] };
  await control.outcome({ ...described('dc_1'), id: 'rec_late', type: 'HookSucceeded', data: late }, described('dc_9'));
  await control.settle();
  expect(control.types('components')).toEqual(before);
  const { positions } = control.newest('marks.lifecycle', 'MarkMoved') as { positions: Record<string, number> };
  for (const partition of [0, 1]) {
    expect(positions[`hooks/${partition}`] ?? 0).toBe(await control.log.end('hooks', partition));
  }
});

test('a subscription records the end of every partition of channels', async () => {
  const control = new ControlLog();
  const runtime = await control.log.own('runtime', 1);
  const emitted = { ...described('dc_1'), type: 'EventEmitted', data: {} };
  await runtime.append([{ topic: 'channels', partition: 1, record: emitted }], {});
  await control.createWorkspace();
  await control.send('CreateWebhook', webhook);
  await control.send('CreateSubscription', subscription('sub_1', 'dc_*'));
  await control.settle();
  expect(control.log.records('listeners').at(-1)?.data).toMatchObject({
    channelEnds: [0, await control.log.end('channels', 1)],
  });
});

test('a subscription starts at the requested position, in the partitions of its sources', async () => {
  const control = new ControlLog();
  const ends: number[] = [];
  for (const partition of [0, 1]) {
    const runtime = await control.log.own('runtime', partition);
    for (const at of [1_000, 2_000, 3_000]) {
      const record = { ...described('dc_1'), type: 'EventEmitted', data: samples.channels.EventEmitted, at };
      await runtime.append([{ topic: 'channels', partition, record }], {});
    }
    ends[partition] = await control.log.end('channels', partition);
  }
  const [first] = (await control.log.read('channels', 1, 1, { recordsMax: 1, bytesMax: 1 })).records;
  await control.createWorkspace();
  await control.send('CreateWebhook', webhook);
  const startOffsets = async (id: string, start: object): Promise<unknown> => {
    await control.send('CreateSubscription', { ...subscription(id, 'dc_*', id), start });
    await control.settle();
    const made = control.log.records('listeners').at(-1)?.data as { channelEnds: number[] } | undefined;
    expect(made).not.toHaveProperty('start');
    return made?.channelEnds;
  };
  expect(await startOffsets('sub_1', { by: 'earliest', value: 0 })).toEqual([0, 0]);
  const later = (await startOffsets('sub_2', { by: 'time', value: 1_500 })) as number[];
  expect(later[1]).toBeGreaterThan(0);
  expect(later[1]).toBeLessThanOrEqual(first?.offset ?? -1);
  expect(await startOffsets('sub_3', { by: 'time', value: 9_000 })).toEqual(ends);
  expect(await startOffsets('sub_4', { by: 'event', value: 1 })).toEqual(ends);
});

test('for a time whose places were looked up, lifecycle reads no events, and begins at the end at most', async () => {
  const control = new ControlLog();
  const runtime = await control.log.own('runtime', 0);
  const record = { ...described('dc_1'), type: 'EventEmitted', data: samples.channels.EventEmitted };
  await runtime.append(
    [1, 2, 3].map(() => ({ topic: 'channels', partition: 0, record }) as const),
    {},
  );
  const end = await control.log.end('channels', 0);
  await control.createWorkspace();
  await control.send('CreateWebhook', webhook);
  const read = control.log.read.bind(control.log);
  control.log.read = (topic, ...of) => (topic === 'channels' ? Promise.reject(new Error('read')) : read(topic, ...of));
  const start = { by: 'time', value: 1 };
  const startsAt = [2, 9].map((offset, partition) => ({ partition, offset }));
  await control.send('CreateSubscription', { ...subscription('sub_1', 'dc_*'), start, startsAt });
  await control.settle();
  expect(control.log.records('listeners').at(-1)?.data).toMatchObject({ channelEnds: [2, 0] });
  const beyond = startsAt.map((one) => ({ ...one, offset: end + 5 }));
  await control.send('CreateSubscription', { ...subscription('sub_2', 'dc_*', 'b'), start, startsAt: beyond });
  await control.settle();
  expect(control.log.records('listeners').at(-1)?.data).toMatchObject({ channelEnds: [end, 0] });
});

test('a command that cannot be decided is logged and skipped, and the next one has its outcome', async () => {
  const control = new ControlLog();
  await control.createWorkspace();
  await control.send('PaintWall', {});
  await control.send('toString', {});
  await control.send('DeleteSource', null);
  await control.send('DeploySource', { sourceId: 'dc_1' });
  const foreignKey = { keyId: 'k', wrapped: 'AAAA' };
  const elsewhere = { name: 'x', userId: 'u', username: 'x', email: 'x', apiKeyHash: 'h2', dataKey: foreignKey };
  await control.log.request({
    topic: 'commands',
    partition: 0,
    record: { ...described('o_2'), type: 'CreateWorkspace', workspace: 'o_2', data: elsewhere },
  });
  await control.send('CreateWebhook', webhook);
  await control.settle();
  expect(control.skipped).toEqual(['PaintWall', 'toString', 'DeleteSource', 'DeploySource', 'CreateWorkspace']);
  expect(control.types('keys')).toEqual(['DataKeyAdded']);
  expect(control.types('listeners')).toEqual(['WebhookCreated']);
});

test('an outcome that cannot be read refuses the deploy that waits for it', async () => {
  const control = new ControlLog();
  await control.createWorkspace();
  await control.deploy('dc_1');
  await control.feed(10);
  await control.flush();
  await control.outcome({ ...described('dc_1'), data: { sourceId: 'dc_1', revision: 1 } } as unknown as HookEvent);
  await control.feed(10);
  await control.flush();
  expect(control.skipped).toEqual(['SourceDescribed']);
  expect(control.types('components')).toEqual(['SourceDeploying', 'SourceDeployRefused']);
});

test('refuses to open with another master key', async () => {
  const control = new ControlLog();
  await control.createWorkspace();
  await control.settle();
  const other = new ControlLog(undefined, Buffer.alloc(32, 9));
  Object.assign(other, { log: control.log });
  await expect(other.open()).rejects.toThrow('The master key does not open the data key of workspace o_home');
  expect(masterKey).not.toEqual(Buffer.alloc(32, 9));
});

test.each(['kill before', 'kill after'] as const)(
  'a cascade is one fact, and its subscriptions are removed step by step, even after a kill (%s)',
  async (fate) => {
    const control = new ControlLog();
    await control.createWorkspace();
    await control.send('CreateWebhook', webhook);
    const count = 1_000;
    for (let i = 0; i < count; i++)
      await control.send('CreateSubscription', subscription(`sub_${i}`, 'dc_*', `channel ${i}`));
    while (await control.feed(500)) await control.flush();
    const listed = () =>
      control.log.records('subscriptions').filter(({ data, key }) => data !== undefined && key !== 'folded');
    expect(listed()).toHaveLength(2 * count);
    await control.send('DeleteWebhook', { webhookId: 'wh_1' });
    let append = 0;
    control.onAppend = () => (append++ === 2 ? fate : 'go on');
    await control.settle();
    expect(append).toBeGreaterThan(4);
    expect(listed()).toEqual([]);
    expect(control.types('listeners').filter((type) => type !== 'SubscriptionCreated')).toEqual([
      'WebhookCreated',
      'WebhookDeleted',
    ]);
  },
  30_000,
);

test('reading pauses while too much output waits for the log, and resumes afterwards', async () => {
  const control = new ControlLog();
  await control.createWorkspace();
  for (let i = 0; i < 40; i++) {
    const base = { userId: 'u_1', name: null, endpointKey: 'e', fingerprint: null, configuredProps: sealed({}) };
    await control.send('DeploySource', { ...base, sourceId: `dc_${i}`, code: 'x'.repeat(sizes.codeBytes) });
  }
  await control.feed(100);
  expect([...control.paused].sort()).toEqual(['commands/0', 'hooks/0', 'hooks/1']);
  await control.flush(sizes.appendBytes);
  expect(control.paused.size).toBe(0);
  expect(control.types('components')).toHaveLength(40);
});
