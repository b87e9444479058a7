import { readFile } from 'node:fs/promises';
import { createClient } from '../../libs/client/index.ts';
import type { Behaviour } from '../support/receiver.ts';
import { withFixture } from '../support/fixture.ts';
import { pause, until } from '../support/until.ts';

const broken: readonly Behaviour[] = ['hang', 'error', 'close', 'drip'];
const perPhase = 200;
const everyMs = 40;
/** An attempt to a hanging receiver takes 15 s; one that is in progress at the repair must end first. */
const resumeMs = 40_000;

const fixture = withFixture();

test('broken receivers do not delay a healthy one, and get every event in order once repaired', async () => {
  const endpoint = await subscribeAll();
  const sent = new Map<number, number>();
  await emit(endpoint, sent, perPhase);
  await waitForArrivals('/healthy', perPhase);
  const calm = latencies(sent, 0, perPhase);
  for (const behaviour of broken) fixture.receiver.behaviours.set(`/${behaviour}`, behaviour);
  await emit(endpoint, sent, perPhase);
  await waitForArrivals('/healthy', 2 * perPhase);
  const troubled = latencies(sent, perPhase, 2 * perPhase);
  for (const behaviour of broken) fixture.receiver.behaviours.set(`/${behaviour}`, 'ok');

  const numbers = Array.from({ length: 2 * perPhase }, (_, n) => n);
  expect(arrivalOrder('/healthy')).toEqual(numbers);
  expect(fixture.receiver.requestsTo('/healthy')).toHaveLength(2 * perPhase);
  expect(median(troubled)).toBeLessThan(5 * median(calm) + everyMs);
  expect(Math.max(...troubled)).toBeLessThan(2_000);
  for (const behaviour of broken) {
    await waitForArrivals(`/${behaviour}`, 2 * perPhase, resumeMs);
    expect(arrivalOrder(`/${behaviour}`)).toEqual(numbers);
  }
}, 150_000);

async function subscribeAll(): Promise<string> {
  const client = createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });
  const code = await readFile(new URL('../flow/components/ticker.js', import.meta.url), 'utf8');
  const source = await client.deploySource({ component_code: code });
  for (const path of ['healthy', ...broken]) {
    const webhook = await client.createWebhook({
      url: fixture.receiver.url(`/${path}`),
      retry_schedule: Array.from({ length: 20 }, () => 2),
    });
    await client.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
  }
  return source.configured_props.http.endpoint_url;
}

/** Posts numbers at a steady rate and notes when each is acknowledged. */
async function emit(endpoint: string, sent: Map<number, number>, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const n = sent.size;
    const body = JSON.stringify({ n });
    const answer = await fetch(endpoint, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    sent.set(n, performance.now());
    await pause(everyMs);
  }
}

/** The numbers of the events, in the order in which each arrived first. */
const arrivalOrder = (path: string): number[] => fixture.receiver.firstCopies<{ n: number }>(path).map(({ n }) => n);

const waitForArrivals = (path: string, count: number, deadlineMs = 15_000): Promise<unknown> =>
  until(`${count} events at ${path}`, () => arrivalOrder(path).length >= count, deadlineMs);

function latencies(sent: ReadonlyMap<number, number>, from: number, to: number): number[] {
  return fixture.receiver
    .requestsTo('/healthy')
    .map(({ body, at }) => ({ n: (JSON.parse(body) as { n: number }).n, at }))
    .filter(({ n }) => n >= from && n < to)
    .map(({ n, at }) => at - (sent.get(n) ?? Infinity));
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
