// Old events, runs and deliveries are given up from the views and from the log, whenever it is killed; nothing else is.
import { readFile } from 'node:fs/promises';
import { createClient } from '../../libs/client/index.ts';
import type { Client } from '../../libs/client/index.ts';
import { passingTopics } from '../../libs/domain/flow.ts';
import type { PassingTopic } from '../../libs/domain/flow.ts';
import { recordOf, samples } from '../../libs/domain/shape/samples.fake.ts';
import { Product } from '../support/product.ts';
import { Receiver } from '../support/receiver.ts';
import { pause, until } from '../support/until.ts';
import { readLog, writeToLog } from '../support/writing-log.ts';
import type { Written } from '../support/writing-log.ts';

/** Kills, starts and deploys on a busy machine. */
const storyMs = 240_000;
const dayMs = 24 * 60 * 60 * 1_000;
const old = 300;
const young = 20;
const kills = 5;
/** Once trimming had to wait for a reader it is looked again after 10 s. */
const lookMs = 12_000;

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

const api = async (): Promise<Client> => createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });

/** As if the source had emitted them then, one run each. */
function history(sourceId: string, workspace: string, at: number): Written[] {
  return Array.from({ length: old }, (_, n) => {
    const ms = at + n;
    const envelope = { key: sourceId, workspace, at: ms };
    const { EventEmitted } = samples.channels;
    const { RunFinished } = samples.runs;
    const runId = `run_old${n}`;
    const event = { ...EventEmitted, emitterId: sourceId, eventId: `${ms}-${n}`, event: { n: -1 - n }, runId };
    const run = { ...RunFinished, runId, sourceId, startedAt: ms };
    return [
      { topic: 'channels' as const, record: { ...recordOf('EventEmitted', event, envelope), id: `rec_e${n}` } },
      { topic: 'runs' as const, record: { ...recordOf('RunFinished', run, envelope), id: `rec_r${n}` } },
    ];
  }).flat();
}

const older = async (topic: PassingTopic, before: number): Promise<number> =>
  (await readLog(product.dataDir, topic)).filter(({ at }) => at < before).length;

test(
  `killed ${kills} times while it gives up what is older, it counts what was not delivered and keeps the rest`,
  async () => {
    const first = await api();
    const code = await readFile(new URL('../flow/components/ticker.js', import.meta.url), 'utf8');
    const source = await first.deploySource({ component_code: code });
    const webhook = await first.createWebhook({ url: receiver.url('/events'), ordered: true });
    const subscription = await first.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
    const { id: workspace = '' } = (await first.me()).orgs[0] ?? {};
    await product.stop();
    await writeToLog(product.dataDir, history(source.id, workspace, Date.now() - 3 * dayMs));

    const { dataDir, port } = product;
    product = await Product.on({ dataDir, port, env: { RETENTION_DAYS: '1' } });
    for (let kill = 0; kill < kills; kill++) {
      await product.start();
      await pause(kill * 400);
      await product.kill();
    }
    await product.start();
    const client = await api();
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
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(young);
    const { alerts = [] } = (await (await fetch(`${product.baseUrl}/health`)).json()) as Health;
    expect(alerts.map(({ code: alert, subject }) => [alert, subject])).toEqual([['events_expired', subscription.id]]);

    await product.stop();
    await product.start();
    const before = Date.now() - dayMs;
    await until(
      'old records to be gone from the log',
      async () => {
        await pause(lookMs);
        await product.stop();
        const left = await Promise.all(passingTopics.map((topic) => older(topic, before)));
        if (left.every((count) => count === 0)) return true;
        await product.start();
        return false;
      },
      storyMs / 2,
    );
    expect(await readLog(product.dataDir, 'channels')).toHaveLength(young);
    await product.start();
    expect((await client.source(source.id)).id).toBe(source.id);
  },
  storyMs,
);
