import { createClient } from '../../libs/client/index.ts';
import type { Client, EventSummary } from '../../libs/client/index.ts';
import { Product } from '../support/product.ts';
import { Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

let product: Product;
let receiver: Receiver;
let client: Client;
beforeAll(async () => {
  [product, receiver] = await Promise.all([Product.start(), Receiver.start()]);
  client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
}, 60_000);
afterAll(() => Promise.all([product.remove(), receiver.stop()]));

/** Oldest first, once there are so many. */
const untilEvents = (id: string, count: number, event_name?: string): Promise<readonly EventSummary[]> =>
  until(`${count} events of ${id} on ${event_name ?? 'every channel'}`, async () => {
    const { data } = await client.eventSummaries(id, {
      expand: 'event',
      limit: 100,
      ...(event_name === undefined ? {} : { event_name }),
    });
    return data.length >= count && data.toReversed();
  });

test('a failed run is an event on $errors: listed and delivered to who asks for that channel, and to nobody else', async () => {
  const component_code = `export default {
    name: 'Brittle', version: '1', props: { http: '$.interface.http', token: { type: 'string', secret: true } },
    run({ body }) {
      this.$emit({ n: body.n });
      if (body.n === 1) throw new TypeError('no luck with ' + this.token);
    },
  };`;
  const source = await client.deploySource({ component_code, configured_props: { token: 'hush-hush-token' } });
  const [errors, all] = await Promise.all(
    ['/errors', '/all'].map((path) => client.createWebhook({ url: receiver.url(path) })),
  );
  const triple = { emitter_id: source.id, listener_id: errors?.id ?? '', event_name: '$errors' };
  await client.createSubscription(triple);
  await client.createSubscription({ emitter_id: source.id, listener_id: all?.id ?? '' });
  const { endpoint_url } = source.configured_props['http'] as { readonly endpoint_url: string };
  for (const n of [1, 2]) {
    const body = JSON.stringify({ n, by: 'hush-hush-token' });
    await fetch(endpoint_url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  }
  const emitted = await untilEvents(source.id, 2);
  expect(emitted.map(({ event }) => event)).toEqual([{ n: 1 }, { n: 2 }]);
  const [told] = await untilEvents(source.id, 1, '$errors');
  const { data } = await client.runs(source.id, {});
  const failed = data.find(({ outcome }) => outcome === 'failed');
  expect(told?.event).toMatchObject({
    original_event: { method: 'POST', body: { n: 1, by: '[secret]' } },
    error: { name: 'TypeError', message: 'no luck with [secret]', stack: expect.stringContaining('TypeError') },
    run_id: failed?.id,
  });
  await until('both webhooks to have got theirs', () => receiver.received.length >= 3);
  expect(receiver.firstCopies('/errors')).toEqual([told?.event]);
  expect(receiver.firstCopies('/all')).toEqual([{ n: 1 }, { n: 2 }]);
});
