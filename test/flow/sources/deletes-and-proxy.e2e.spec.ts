// Deleted events are neither shown nor sent any more, and a service behind a proxy sends its requests through it.
import { readFile, readdir } from 'node:fs/promises';
import { createClient } from '../../../libs/client/index.ts';
import type { Client, EventSummary } from '../../../libs/client/index.ts';
import { EventStream } from '../../../libs/stages/gateway/streams/event-stream.fake.ts';
import { Product } from '../../support/product.ts';
import { Receiver } from '../../support/receiver.ts';
import { Proxy } from '../../support/upstream/proxy.ts';
import { until } from '../../support/until.ts';

let product: Product;
let receiver: Receiver;
let proxy: Proxy;
let client: Client;
let apiKey: string;
const password = 'a-password-that-nobody-sees';

beforeAll(async () => {
  proxy = await Proxy.start(`me:${password}`);
  const env = { EGRESS_PROXY: `http://me:${password}@127.0.0.1:${proxy.port}` };
  [product, receiver] = await Promise.all([Product.start({ env }), Receiver.start()]);
  apiKey = await product.apiKey();
  client = createClient({ baseUrl: product.baseUrl, apiKey });
}, 60_000);
afterAll(async () => {
  await product.remove();
  await proxy.stop();
  await receiver.stop();
});

const emitting = `export default { name: 'Emitting', version: '1',
  async run({ from = 0, count = 0, name, gate }) {
    while (gate && !(await fetch(gate)).ok) await new Promise((resolve) => setTimeout(resolve, 50));
    for (let n = from; n < from + count; n++) this.$emit({ n }, { id: n, name });
  } }`;

const deploy = async (): Promise<string> => (await client.deploySource({ component_code: emitting })).id;
const numbersOf = (events: readonly EventSummary[]): number[] => events.map(({ event }) => (event as { n: number }).n);

/** Newest first. */
const listEvents = async (id: string, event_name?: string): Promise<readonly EventSummary[]> => {
  const of = event_name === undefined ? {} : { event_name };
  return (await client.eventSummaries(id, { expand: 'event', limit: 100, ...of })).data;
};
const waitUntilListed = (id: string, expected: readonly number[], event_name?: string): Promise<unknown> =>
  until(`${expected.length} events of ${id}`, async () => {
    return JSON.stringify(numbersOf(await listEvents(id, event_name))) === JSON.stringify(expected);
  });

test('events deleted by range, by channel or all together are missing from lists, counts and streams', async () => {
  const id = await deploy();
  await client.runNowAndWait(id, { event: { count: 8 } });
  await client.runNowAndWait(id, { event: { from: 8, count: 2, name: 'other' } });
  await waitUntilListed(id, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  const eventsOldestFirst = (await listEvents(id)).toReversed();
  const idOf = (n: number): string => eventsOldestFirst[n]?.id ?? '';
  await client.deleteEvents(id, { start_id: idOf(2), end_id: idOf(4) });
  await client.deleteEvents(id, { event_name: 'other', end_id: idOf(8) });
  await client.deleteEvents(id, { event_name: '', end_id: idOf(0) });
  await waitUntilListed(id, [9, 7, 6, 5, 1]);
  expect((await client.eventSummaries(id, { limit: 1 })).page_info.total_count).toBe(5);
  const stream = await EventStream.open(`${product.baseUrl}/v1/sources/${id}/sse?after=${idOf(0)}`, { apiKey });
  expect((await stream.take(5)).map((one) => one.id)).toEqual([1, 5, 6, 7, 9].map(idOf));
  stream.close();
  await client.deleteEvents(id);
  await product.kill();
  await product.start();
  await waitUntilListed(id, []);
  await client.runNowAndWait(id, { event: { from: 20, count: 1 } });
  await waitUntilListed(id, [20]);
  await expect(client.deleteEvents(id, { start_id: 'x' })).rejects.toMatchObject({ status: 400 });
  await expect(client.deleteEvents('dc_0000000000000000')).rejects.toMatchObject({ status: 404 });
}, 120_000);

test('deleting events does not wait for a run, and deleted events are not sent to a failing receiver', async () => {
  const id = await deploy();
  const webhook = await client.createWebhook({ url: receiver.url('/poisoned'), retry_schedule: [3_600] });
  await client.createSubscription({ emitter_id: id, listener_id: webhook.id });
  receiver.behaviours.set('/poisoned', 'error');
  await client.runNowAndWait(id, { event: { count: 50 } });
  await until('the first attempt', () => receiver.requestsTo('/poisoned').length === 1);
  receiver.behaviours.set('/gate', 'error');
  await client.runNow(id, { event: { gate: receiver.url('/gate') } });
  await until('the run to wait', () => receiver.requestsTo('/gate').length > 0);
  await client.runNow(id, { event: { from: 50, count: 2 } });
  await client.deleteEvents(id);
  await waitUntilListed(id, []);
  receiver.behaviours.set('/poisoned', 'ok');
  receiver.behaviours.set('/gate', 'ok');
  await until('what was emitted later', () => receiver.requestsTo('/poisoned').length >= 3);
  expect(receiver.firstCopies('/poisoned')).toEqual([{ n: 0 }, { n: 50 }, { n: 51 }]);
  await waitUntilListed(id, [51, 50]);
}, 120_000);

const commandLines = async (): Promise<string> => {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = ids.map((id) => readFile(`/proc/${id}/cmdline`, 'latin1').catch(() => ''));
  return (await Promise.all(lines)).join('\n');
};

test('deliveries and requests of components go through EGRESS_PROXY, whose password is never shown', async () => {
  proxy.portByAuthority.set('behind.example:80', Number(new URL(receiver.url('/')).port));
  const asking = `export default { name: 'Asking', version: '1',
    async run({ url }) { this.$emit({ status: (await fetch(url)).status }); } }`;
  const { id } = await client.deploySource({ component_code: asking });
  const webhook = await client.createWebhook({ url: 'http://behind.example/delivered' });
  await client.createSubscription({ emitter_id: id, listener_id: webhook.id });
  await client.runNowAndWait(id, { event: { url: 'http://behind.example/asked' } });
  await until('the delivery', () => receiver.requestsTo('/delivered').length === 1);
  expect(receiver.firstCopies('/delivered')).toEqual([{ status: 200 }]);
  expect(receiver.requestsTo('/asked')).toHaveLength(1);
  expect(new Set(proxy.openedTunnels.filter((to) => to.startsWith('behind')))).toEqual(new Set(['behind.example:80']));
  const refused = await client.runNowAndWait(id, { event: { url: 'http://10.1.2.3/' } });
  expect(JSON.stringify(refused)).toContain('not public');
  for (const secret of [password, Buffer.from(`me:${password}`).toString('base64')]) {
    expect(product.output).not.toContain(secret);
    expect(await commandLines()).not.toContain(secret);
  }
}, 120_000);
