// Retention removes old events, runs and deliveries from the views and the log, and nothing else, despite kills.
import { readFile } from 'node:fs/promises';
import { createClient } from '../../libs/client/index.ts';
import type { Client } from '../../libs/client/index.ts';
import { partitionOf, expiringTopics } from '../../libs/domain/flow.ts';
import type { CursorEvent } from '../../libs/domain/delivery/messages.ts';
import type { StoredRecord } from '../../libs/domain/message.ts';
import { recordOf, samples } from '../../libs/domain/record/samples.fake.ts';
import { engine } from '../support/engine.ts';
import { Product } from '../support/product.ts';
import { Receiver } from '../support/receiver.ts';
import { pause, until } from '../support/until.ts';
import { expectVerifiedHistory } from '../support/signed-history.ts';
import { readLog, writeToLog } from '../support/stopped-log.ts';
import type { RecordToWrite } from '../support/stopped-log.ts';

/** Kills, starts and deploys on a busy machine. */
const storyMs = engine === 'embedded' ? 240_000 : 480_000;
const dayMs = 24 * 60 * 60 * 1_000;
const old = 300;
const young = 20;
/** Each start of many processes takes half a minute there. */
const kills = engine === 'embedded' ? 5 : 2;
/** Trimming that waits for a reader tries again after 10 s. A log that can be read meanwhile is checked more often. */
const lookMs = engine === 'embedded' ? 12_000 : 1_000;

type CursorAdvanced = Extract<CursorEvent, { type: 'CursorAdvanced' }>;

interface Health {
  readonly alerts?: readonly { readonly code: string; readonly subject: string }[];
}

let product: Product;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
  product = await Product.start();
}, storyMs);
afterAll(async () => {
  await product.remove();
  await receiver.stop();
});

const connect = async (): Promise<Client> => createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });

/** A source in another partition, in which no recent run comes before the old ones, which would keep them. */
const otherThan = (sourceId: string): string =>
  Array.from({ length: 100 }, (_, n) => `dc_other${n}`).find((id) => partitionOf(id, 4) !== partitionOf(sourceId, 4)) ??
  '';

/** Events that the source would have emitted then, and runs that the other source would have had. */
function oldRecords(sourceId: string, workspace: string, at: number): RecordToWrite[] {
  const other = otherThan(sourceId);
  return Array.from({ length: old }, (_, n) => {
    const ms = at + n;
    const envelope = { key: sourceId, workspace, at: ms };
    const { EventEmitted } = samples.channels;
    const { RunFinished } = samples.runs;
    const runId = `run_old${n}`;
    const event = { ...EventEmitted, emitterId: sourceId, eventId: `${ms}-${n}`, event: { n: -1 - n }, runId };
    const run = { ...RunFinished, runId, sourceId: other, startedAt: ms };
    return [
      { topic: 'channels' as const, record: { ...recordOf('EventEmitted', event, envelope), id: `rec_e${n}` } },
      {
        topic: 'runs' as const,
        record: { ...recordOf('RunFinished', run, { ...envelope, key: other }), id: `rec_r${n}` },
      },
    ];
  }).flat();
}

/** The number of an event, which is negative in the old ones. */
const numberIn = (body: string): number => (JSON.parse(body) as { n: number }).n;

/** Records that should be gone. */
async function countOlder(before: number): Promise<number> {
  const left = await readLog(product.dataDir, ...expiringTopics);
  return left.filter(({ at }) => at < before).length;
}

test(
  `retention removes old events and runs despite ${kills} kills, counts undelivered events and keeps the rest`,
  async () => {
    // Otherwise a quick machine delivers the old events before retention comes to them.
    receiver.behaviours.set('/events', (body) => (numberIn(body) < 0 ? 'error' : 'ok'));
    const first = await connect();
    const code = await readFile(new URL('../flow/components/ticker.js', import.meta.url), 'utf8');
    const source = await first.deploySource({ component_code: code });
    const webhook = await first.createWebhook({ url: receiver.url('/events'), ordered: true });
    const subscription = await first.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
    const { id: workspace = '' } = (await first.me()).orgs[0] ?? {};
    await product.stop();
    await writeToLog(product.dataDir, oldRecords(source.id, workspace, Date.now() - 3 * dayMs));

    const { dataDir, port } = product;
    product = await Product.create({ dataDir, port, env: { RETENTION_DAYS: '1', CHECKPOINT_SECONDS: '1' } });
    for (let kill = 0; kill < kills; kill++) {
      await product.start();
      await pause(kill * 400);
      await product.kill();
    }
    await product.start();
    const client = await connect();
    // They need a checkpoint of their own: one that also signs recent records could not be proved after retention.
    await until('old events to be signed', async () => {
      const { data } = await client.signedHistory.checkpoints({ topic: 'channels', limit: 1_000 });
      return data.some(({ count }) => count === old);
    });
    const endpoint = source.configured_props.http.endpoint_url;
    const headers = { 'content-type': 'application/json' };
    for (let n = 0; n < young; n++) await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ n }) });
    await until('every new delivery', async () => {
      const { page_info } = await client.deliveries(subscription.id, { state: 'delivered' });
      return page_info.total_count === young;
    });
    await until('old events to be gone from the views', async () => {
      const { page_info } = await client.eventSummaries(source.id);
      return page_info.total_count === young;
    });
    const numbers = receiver.received.map(({ body }) => numberIn(body));
    expect([...new Set(numbers.filter((n) => n >= 0))]).toEqual(Array.from({ length: young }, (_, n) => n));
    const alerts = await until('the alert', async () => {
      const { alerts: live = [] } = (await (await fetch(`${product.baseUrl}/health`)).json()) as Health;
      return live.length > 0 && live;
    });
    expect(alerts.map(({ code: alert, subject }) => [alert, subject])).toEqual([['events_expired', subscription.id]]);

    const before = Date.now() - dayMs;
    await until(
      'old records to be gone from the log',
      async () => {
        await pause(lookMs);
        if (engine === 'embedded') await product.stop();
        if ((await countOlder(before)) === 0) return true;
        if (engine === 'embedded') await product.start();
        return false;
      },
      storyMs / 2,
    );
    await product.stop();
    expect(await readLog(product.dataDir, 'channels')).toHaveLength(young);
    const cursor = (await readLog(product.dataDir, 'cursors')).findLast(({ key }) => key.endsWith(source.id));
    const { published, delivered, expired } = (cursor as StoredRecord<CursorAdvanced>).data.counters;
    expect([published, delivered, expired]).toEqual([old + young, young, { retention: old, gone: 0 }]);
    await product.start();
    expect((await client.source(source.id)).id).toBe(source.id);
    const { trimmed } = await expectVerifiedHistory(client);
    expect(trimmed.map(({ topic, records }) => [topic, records])).toContainEqual(['channels', old]);
  },
  storyMs,
);
