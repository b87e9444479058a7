import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createClient } from '../../libs/client/index.ts';
import type { Client } from '../../libs/client/index.ts';
import { withFixture } from '../support/fixture.ts';
import { until } from '../support/until.ts';

const events = 60;

const fixture = withFixture();

test('after a rebuild, with the service running or stopped, the API answers the same to the byte', async () => {
  const client = createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });
  await createHistory(client);
  const responsesBefore = await readEverything(client);
  expect(responsesBefore.length).toBeGreaterThan(5_000);

  expect(await fixture.product.rebuild()).toMatchObject({
    code: 0,
    output: expect.stringMatching(/Rebuilt the views: \d+ documents/),
  });
  expect(await readEverything(client)).toBe(responsesBefore);

  await fixture.product.stop();
  expect(await fixture.product.rebuild()).toMatchObject({ code: 0 });
  await fixture.product.start();
  expect(await readEverything(client)).toBe(responsesBefore);
}, 60_000);

test('a rebuild request of a stranger is answered before its body comes', async () => {
  const headers = { 'content-type': 'application/json', 'content-length': 60_000 };
  const asking = request(await fixture.product.rebuildUrl(), { method: 'POST', headers });
  asking.on('error', () => {}).flushHeaders();
  const status = new Promise((resolve) => asking.once('response', ({ statusCode }) => resolve(statusCode)));
  expect(await status).toBe(401);
  asking.destroy();
});

test('a rebuild request needs the first API key: without a key or with a wrong one it gets 401', async () => {
  const url = await fixture.product.rebuildUrl();
  const ask = (authorization: string): Promise<Response> => fetch(url, { method: 'POST', headers: { authorization } });
  expect((await ask('')).status).toBe(401);
  expect((await ask('Bearer pd_0000000000000000000000000000000000000000')).status).toBe(401);
  expect((await ask(`Bearer ${await fixture.product.apiKey()}`)).status).toBe(200);
});

/** Creates a source and webhooks, deletes one of them, and makes events, deliveries and runs. */
async function createHistory(client: Client): Promise<void> {
  const code = await readFile(new URL('./components/ticker.js', import.meta.url), 'utf8');
  const source = await client.deploySource({ component_code: code });
  const webhook = await client.createWebhook({ url: fixture.receiver.url('/kept'), name: 'kept' });
  const dropped = await client.createWebhook({ url: fixture.receiver.url('/dropped') });
  await client.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
  await client.createSubscription({ emitter_id: source.id, listener_id: dropped.id });
  await client.deleteWebhook(dropped.id);
  const headers = { 'content-type': 'application/json' };
  for (let n = 0; n < events; n++) {
    await fetch(source.configured_props.http.endpoint_url, { method: 'POST', headers, body: JSON.stringify({ n }) });
  }
  await until('every delivery in the views', async () => {
    const [subscription] = (await client.subscriptions()).data;
    const deliveries = await client.deliveries(subscription?.id ?? '', { state: 'delivered' });
    return deliveries.page_info.total_count === events;
  });
  // Each kind of record may be shown before the others.
  await until('every run and event in the views', async () => {
    const [runs, emitted] = [await client.runs(source.id, { kind: 'http' }), await client.eventSummaries(source.id)];
    return runs.page_info.total_count === events && emitted.page_info.total_count === events;
  });
}

/** The answers of the API as text. */
async function readEverything(client: Client): Promise<string> {
  const [webhooks, subscriptions, sources] = [
    await client.webhooks(),
    await client.subscriptions(),
    await client.sources(),
  ];
  const responses: unknown[] = [await client.me(), webhooks, subscriptions, sources];
  for (const { id } of sources.data) {
    responses.push(
      await client.eventSummaries(id, { limit: 100, expand: 'event' }),
      await client.runs(id, { limit: 100 }),
    );
  }
  for (const { id } of subscriptions.data) responses.push(await client.deliveries(id, { limit: 100 }));
  return JSON.stringify(responses);
}
