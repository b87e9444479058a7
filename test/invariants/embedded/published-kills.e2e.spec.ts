import { randomInt } from 'node:crypto';
import { createClient } from '../../../libs/client/index.ts';
import type { Client } from '../../../libs/client/index.ts';
import { withFixture } from '../../support/fixture.ts';
import { pause, until } from '../../support/until.ts';

const publishers = 4;
const kills = 5;
/** Long enough to hit a request at any stage. */
const killWithinMs = 250;
const batchMax = 20;

const fixture = withFixture();

interface Order {
  readonly publisher: number;
  readonly n: number;
}

/** The published orders by their acknowledged ids. */
const acknowledged = new Map<string, Order>();
let isOver = false;

test(`${kills} kills lose no acknowledged event of ${publishers} publishers and emit none twice`, async () => {
  const { product, receiver } = fixture;
  const client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
  const { id } = await client.deploySource({ kind: 'channel', name: 'Orders' });
  const retry_schedule = Array.from({ length: 20 }, () => 1);
  const webhook = await client.createWebhook({ url: receiver.url('/orders'), retry_schedule });
  await client.createSubscription({ emitter_id: id, listener_id: webhook.id });
  const publishing = Array.from({ length: publishers }, (_, publisher) => publishAll(client, id, publisher));
  for (let kill = 1; kill <= kills; kill++) {
    const before = acknowledged.size;
    await until('some to be acknowledged', () => acknowledged.size > before, 60_000);
    await pause(randomInt(killWithinMs));
    await product.kill();
    await product.start();
  }
  isOver = true;
  await Promise.all(publishing);
  // The list may be behind what was acknowledged a moment ago.
  const isShown = async (): Promise<boolean> => (await allEvents(client, id)).length >= acknowledged.size;
  await until('all to be listed', isShown, 60_000);
  const listed = await allEvents(client, id);
  expect(new Map(listed.map(({ id: eventId, event }) => [eventId, event]))).toEqual(acknowledged);
  expect(listed).toHaveLength(acknowledged.size);
  await until('all to be delivered', () => receiver.firstCopies('/orders').length >= listed.length, 90_000);
  expect(receiver.firstCopies('/orders')).toEqual(listed.map(({ event }) => event));
}, 420_000);

/** Repeats each batch until it is acknowledged. Every second batch has an Idempotency-Key instead of ids. */
async function publishAll(client: Client, sourceId: string, publisher: number): Promise<void> {
  for (let n = 0, batches = 0; !isOver; batches++) {
    const orders: readonly Order[] = Array.from({ length: randomInt(1, batchMax) }, () => ({ publisher, n: n++ }));
    const isKeyed = batches % 2 === 0;
    const events = orders.map((event) => ({ event, ...(isKeyed ? {} : { id: `${publisher}/${event.n}` }) }));
    const options = isKeyed ? { idempotencyKey: `${publisher}/${batches}` } : {};
    const answer = await until(
      'a batch to be acknowledged',
      () => client.publish(sourceId, events, options).catch(() => undefined),
      60_000,
    );
    for (const [index, { id }] of answer.entries()) acknowledged.set(id, orders[index] as Order);
  }
}

/** Oldest first. */
async function allEvents(
  client: Client,
  sourceId: string,
): Promise<readonly { readonly id: string; event: unknown }[]> {
  const all: { readonly id: string; event: unknown }[] = [];
  for (let after: string | undefined; ;) {
    const paging = { limit: 100, ...(after === undefined ? {} : { after }) };
    const page = await client.eventSummaries(sourceId, { expand: 'event', ...paging });
    all.push(...page.data);
    if (page.data.length < 100) return all.reverse();
    after = page.page_info.end_cursor ?? undefined;
  }
}
