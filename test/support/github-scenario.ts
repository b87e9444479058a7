// The set-up of the GitHub story: a source, a receiver, a webhook on one channel and one on all.
import { readFile } from 'node:fs/promises';
import { createClient } from '../../libs/client/index.ts';
import type { Client, EventSummary } from '../../libs/client/index.ts';
import type { GitHubDelivery, GitHubEvent } from './github.ts';
import type { Product } from './product.ts';
import type { Receiver } from './receiver.ts';
import { until } from './until.ts';

export const gitHubSecret = 'it is a secret to everybody';
/** The event type that the webhook on one channel gets. */
export const filteredChannel = 'pull_request';

export interface GitHubScenario {
  readonly client: Client;
  readonly sourceId: string;
  readonly endpoint: string;
  readonly signingKeys: { readonly all: string; readonly one: string };
}

/** For the few seconds of a restart, in which the sender repeats failed requests. */
const postDeadlineMs = 60_000;

export async function gitHubScenario(
  product: Pick<Product, 'baseUrl' | 'apiKey'>,
  receiver: Receiver,
): Promise<GitHubScenario> {
  const client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
  const code = await readFile(new URL('../flow/components/github.js', import.meta.url), 'utf8');
  const source = await client.deploySource({ component_code: code, configured_props: { secret: gitHubSecret } });
  const retrySchedule = Array.from({ length: 20 }, () => 1);
  const all = await client.createWebhook({ url: receiver.url('/all'), retry_schedule: retrySchedule });
  const one = await client.createWebhook({ url: receiver.url('/one'), retry_schedule: retrySchedule });
  await client.createSubscription({ emitter_id: source.id, listener_id: all.id });
  await client.createSubscription({ emitter_id: source.id, listener_id: one.id, event_name: filteredChannel });
  return {
    client,
    sourceId: source.id,
    endpoint: source.configured_props.http.endpoint_url,
    signingKeys: { all: all.signing_key, one: one.signing_key },
  };
}

/** Posts one delivery as GitHub does; returns the status. Throws if nobody answers. */
export async function postDelivery(endpoint: string, delivery: GitHubDelivery): Promise<number> {
  const response = await fetch(endpoint, { method: 'POST', headers: { ...delivery.headers }, body: delivery.body });
  await response.arrayBuffer();
  return response.status;
}

/** Posts a delivery again and again until it is acknowledged. */
export const postUntilAcknowledged = (endpoint: string, delivery: GitHubDelivery): Promise<unknown> =>
  until(
    `delivery ${delivery.id} to be acknowledged`,
    () =>
      postDelivery(endpoint, delivery).then(
        (status) => status === 200,
        () => false,
      ),
    postDeadlineMs,
  );

/** Waits until both webhooks have all expected events, and checks that they have only these, in order. */
export async function expectDelivered(receiver: Receiver, deliveries: readonly GitHubDelivery[]): Promise<void> {
  const ids = (path: string): string[] => receiver.firstCopies<GitHubEvent>(path).map(({ delivery }) => delivery);
  const all = deliveries.map(({ id }) => id);
  const one = deliveries.filter(({ name }) => name === filteredChannel).map(({ id }) => id);
  await until(
    'every event at both webhooks',
    () => receiver.countOf('/all') >= all.length && receiver.countOf('/one') >= one.length,
    90_000,
  );
  expect(ids('/all')).toEqual(all);
  expect(ids('/one')).toEqual(one);
}

/** The expected db of the component after these deliveries, each counted once. */
export function expectedState(deliveries: readonly GitHubDelivery[]): Record<string, { count: number; ids: string[] }> {
  const state: Record<string, { count: number; ids: string[] }> = {};
  for (const { name, id } of deliveries) {
    const counted = (state[name] ??= { count: 0, ids: [] });
    counted.count++;
    counted.ids = [...counted.ids, id].slice(-100);
  }
  return state;
}

/** The delivery id of every event in the views; a copy would occur twice. */
export async function emittedIds(scenario: GitHubScenario): Promise<string[]> {
  const ids: string[] = [];
  for await (const page of pages(scenario, { expand: 'event' }))
    ids.push(...page.map(({ event }) => (event as unknown as GitHubEvent).delivery));
  return ids;
}

/** Whether a delivery's event is in the views. The newest come first, so it stops at those of `earlier` deliveries. */
export async function isInViews(scenario: GitHubScenario, id: string, earlier: ReadonlySet<string>): Promise<boolean> {
  for await (const page of pages(scenario, {})) {
    // The component emits each event with the id of its delivery.
    const ids = page.map(({ metadata }) => String(metadata.id));
    if (ids.includes(id)) return true;
    if (ids.some((shown) => earlier.has(shown))) return false;
  }
  return false;
}

async function* pages(
  { client, sourceId }: GitHubScenario,
  query: { readonly expand?: 'event' },
): AsyncGenerator<readonly EventSummary[]> {
  let after: string | undefined;
  for (;;) {
    const page = await client.eventSummaries(sourceId, { limit: 100, ...query, ...(after !== undefined && { after }) });
    yield page.data;
    if (page.data.length < 100) return;
    after = page.page_info.end_cursor ?? undefined;
  }
}
