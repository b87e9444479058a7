import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createClient } from '../../libs/client/index.ts';
import type { Client } from '../../libs/client/index.ts';
import type { TopicName } from '../../libs/domain/flow.ts';
import type { LogRecord } from '../../libs/domain/message.ts';
import { recordOf, sampleRecords, samples } from '../../libs/domain/record/samples.fake.ts';
import { unusableRecords } from '../../libs/domain/record/unusable-records.fake.ts';
import { knownVersion } from '../../libs/domain/record/check-record.ts';
import { withFixture } from '../support/fixture.ts';
import { engine } from '../support/engine.ts';
import { until } from '../support/until.ts';
import { writeToLog } from '../support/stopped-log.ts';
import type { RecordToWrite } from '../support/stopped-log.ts';

interface Health {
  readonly status: string;
  readonly error?: Readonly<Record<string, { readonly message?: string }>>;
  readonly alerts?: readonly { readonly code: string; readonly subject: string; readonly message: string }[];
}

/** Kills, starts and deploys on a busy machine. */
const storyMs = 240_000;
/** A time beyond this cannot be written as a CloudEvents time. */
const isOnKafka = ({ at }: LogRecord): boolean => at < 8.64e15;

// The log gets records that the product never writes, nested too deep for the search for leaks.
const fixture = withFixture({ findsLeaks: false });
let client: Client;
let source: Awaited<ReturnType<Client['deploySource']>>;
let signed: Awaited<ReturnType<Client['deploySource']>>;
let workspace = '';
let sent = 0;

beforeAll(async () => {
  client = createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });
  const code = await readFile(new URL('../flow/components/ticker.js', import.meta.url), 'utf8');
  source = await client.deploySource({ component_code: code });
  signed = await client.deploySource({ component_code: code });
  const webhook = await client.createWebhook({ url: fixture.receiver.url('/events') });
  await client.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
  workspace = await ownWorkspace();
  await expectTraffic();
}, storyMs);

/** Every message type of every topic, damaged in every way. */
const everyKind: readonly RecordToWrite[] = sampleRecords.flatMap(([topic, { type, data }]) =>
  unusableRecords(topic, type, data as object)
    .map(([, record]) => ({ topic, record }))
    .filter(({ record }) => engine === 'embedded' || isOnKafka(record)),
);

/** Well-formed, but not sealed with any key. */
const broken = { $sealed: Buffer.alloc(64, 1).toString('base64') };

function recordsWithoutKey(): readonly RecordToWrite[] {
  const of = (type: string, key: string, data: object): LogRecord => recordOf(type, data, { key, workspace });
  const { TriggerRequested } = samples.triggers;
  const trigger = {
    ...TriggerRequested,
    sourceId: source.id,
    http: { ...TriggerRequested.http, noRun: false, sealedHeaders: broken },
  };
  const state = {
    ...samples.state.SourceStateSaved,
    sourceId: signed.id,
    db: broken,
    finishedBelow: { hooks: 0, runs: 0 },
  };
  const webhook = { ...samples.webhooks.WebhookDefined, webhookId: 'wh_broken', signingKey: broken };
  const subscription = { subscriptionId: 'sub_broken', emitterId: source.id, listenerId: 'wh_broken', eventName: null };
  const created = { ...subscription, createdAt: 1, madeBy: null, from: 0 };
  return [
    { topic: 'triggers', record: { ...of('TriggerRequested', source.id, trigger), id: 'req_broken' } },
    { topic: 'state', record: of('SourceStateSaved', signed.id, state) },
    { topic: 'webhooks', record: of('WebhookDefined', 'wh_broken', webhook) },
    // Keyed by its source, whose partition it belongs to.
    { topic: 'subscriptions', record: of('SubscriptionDefined', created.emitterId, created) },
    {
      topic: 'keys',
      record: recordOf('DataKeyAdded', samples.keys.DataKeyAdded, { key: 'o_broken', workspace: 'o_broken' }),
    },
  ];
}

/** Deeper than JSON.stringify can write, so directly into the file, as a program with other limits could. */
function writeDeepRecord(dataDir: string): void {
  const database = new Database(join(dataDir, 'log.sqlite'));
  const levels = 20_000;
  for (const [topic, partition] of [
    ['channels', 1],
    ['triggers', 1],
    ['commands', 0],
  ] as const) {
    const [, record] = sampleRecords.find(([name]) => name === topic) ?? [];
    const text = JSON.stringify({ ...record, data: 'deep' }).replace('"deep"', '['.repeat(levels) + ']'.repeat(levels));
    const insert = `INSERT INTO "${topic}" (partition, key, count, lines) VALUES (?, NULL, 1, ?)`;
    for (const line of [text, '{"id":', 'null', '[]', '']) database.prepare(insert).run(partition, line);
  }
  database.close();
}

test(
  'starts and works despite malformed records of every kind and reports them, also after a kill',
  async () => {
    await fixture.product.stop();
    await writeToLog(fixture.product.dataDir, [...everyKind, ...recordsWithoutKey()]);
    if (engine === 'embedded') writeDeepRecord(fixture.product.dataDir);

    await fixture.product.start();
    await expectTraffic();
    // No stage keeps reading `stores`, `indexes` and `bundles`: their records are looked up at known offsets.
    const unread = new Set<TopicName>(['state', 'bundles', 'stores', 'indexes', 'checkpoints']);
    const topics = [...new Set(everyKind.map(({ topic }) => topic))].filter((topic) => !unread.has(topic));
    for (const topic of topics) await expectAlert('malformed_record', topic);
    for (const subject of [source.id, 'wh_broken', 'o_broken']) await expectAlert('seal_does_not_open', subject);
    const refused = await until('the refused run', async () => (await runsOf(source.id)).find(isRefused));
    expect(refused).toMatchObject({ error: { message: expect.stringContaining('cannot be opened') } });
    await send(signed.configured_props.http.endpoint_url);
    expect(await until('its db to refuse a run', async () => (await runsOf(signed.id)).find(isRefused))).toMatchObject({
      error: { message: expect.stringContaining('db cannot be opened') },
    });

    await fixture.product.kill();
    await fixture.product.start();
    await expectTraffic();
    await client.deploySource({ component_code: 'module.exports = { name: "n", version: "0.0.1", run() {} };' });
    await expectAlert('malformed_record', 'channels');
    expect(fixture.product.output).not.toContain(broken.$sealed);
    expect(fixture.product.output.match(/cannot continue/g)).toBeNull();
  },
  storyMs,
);

test(
  'health is 503 and says what to start at a record of a newer version, and other work continues',
  async () => {
    await fixture.product.stop();
    // On both engines the gateway, whose health is checked, reads this topic.
    const newer = recordOf('WebhookDefined', { anything: 1 }, { version: knownVersion + 1, key: 'wh_new', workspace });
    await writeToLog(fixture.product.dataDir, [{ topic: 'webhooks', record: newer }]);
    for (const start of ['started', 'killed and started'] as const) {
      if (start !== 'started') await fixture.product.kill();
      fixture.product.spawn();
      const red = await until(
        `red health when ${start}`,
        async () => {
          const answer = await fetch(`${fixture.product.baseUrl}/health`).catch(() => undefined);
          return answer?.status === 503 ? ((await answer.json()) as Health) : undefined;
        },
        60_000,
      );
      const messages = Object.values(red.error ?? {}).map(({ message }) => message);
      expect(messages).toContain(
        `webhooks holds records of version ${knownVersion + 1}; this program knows version ${knownVersion}: start the newer program`,
      );
      const before = (await runsOf(source.id)).filter(isSuccess).length;
      expect(await send(source.configured_props.http.endpoint_url)).toBe(200);
      await until(
        'what does not depend on it to go on',
        async () => (await runsOf(source.id)).filter(isSuccess).length > before,
      );
    }
  },
  storyMs,
);

const isRefused = ({ outcome, kind }: { outcome: string; kind: string }): boolean =>
  outcome === 'refused' && kind === 'http';
const isSuccess = ({ outcome, kind }: { outcome: string; kind: string }): boolean =>
  outcome === 'succeeded' && kind === 'http';

const runsOf = async (sourceId: string) => (await client.runs(sourceId)).data;

async function health(): Promise<Health> {
  return (await (await fetch(`${fixture.product.baseUrl}/health`)).json()) as Health;
}

async function expectAlert(code: string, subject: string): Promise<void> {
  const isIt = (alert: { readonly code: string; readonly subject: string }): boolean =>
    alert.code === code && alert.subject === subject;
  const alerts = await until(`the alert ${code} ${subject}`, async () => {
    const { alerts: live = [] } = await health();
    return live.some(isIt) ? live : undefined;
  });
  expect(alerts.filter(isIt)).toHaveLength(1);
}

/** A request becomes an event and is delivered. */
async function expectTraffic(): Promise<void> {
  expect((await health()).status).toBe('ok');
  const before = fixture.receiver.requestsTo('/events').length;
  expect(await send(source.configured_props.http.endpoint_url)).toBe(200);
  await until('its delivery', () => fixture.receiver.requestsTo('/events').length > before, 60_000);
}

async function send(endpoint: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ n: sent++ }) });
  await answer.arrayBuffer();
  return answer.status;
}

async function ownWorkspace(): Promise<string> {
  const headers = { authorization: `Bearer ${await fixture.product.apiKey()}` };
  const answer = await fetch(`${fixture.product.baseUrl}/v1/users/me`, { headers });
  const { data } = (await answer.json()) as { data: { orgs: readonly { id: string }[] } };
  return data.orgs[0]?.id ?? '';
}
