// The owner of a webhook can change its URL and keys and pause it while events are waiting.
import { createPublicKey, verify as verifyBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createClient } from '../../../libs/client/index.ts';
import type { Client, NewSource } from '../../../libs/client/index.ts';
import { withFixture } from '../../support/fixture.ts';
import { verify } from '../../support/receiver.ts';
import type { ReceivedRequest } from '../../support/receiver.ts';
import { onlyWaitForKill } from '../../support/processes/shared-kills.ts';
import { until } from '../../support/until.ts';

interface Alert {
  readonly code: string;
  readonly subject: string;
}

const fixture = withFixture();
const storyMs = 180_000;
/** For a thousand deliveries after a start of everything. */
const afterKillMs = 60_000;
/** More retries than can happen on a busy machine before the webhook is changed. */
const retryWaits = Array.from({ length: 15 }, () => 2);

async function deploySource(): Promise<{ readonly client: Client; readonly source: NewSource }> {
  const client = createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });
  const code = await readFile(new URL('../components/ticker.js', import.meta.url), 'utf8');
  return { client, source: await client.deploySource({ component_code: code }) };
}

async function post(source: NewSource, ...numbers: readonly number[]): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const url = source.configured_props.http?.endpoint_url ?? '';
  for (const n of numbers) {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ n }) });
    await response.arrayBuffer();
    expect(response.status).toBe(200);
  }
}

const numbersAt = (path: string): number[] => fixture.receiver.firstCopies<{ n: number }>(path).map(({ n }) => n);
const isLive = async (code: string, subject: string): Promise<boolean> => {
  const health = (await (await fetch(`${fixture.product.baseUrl}/health`)).json()) as {
    readonly alerts?: readonly Alert[];
  };
  return (health.alerts ?? []).some((alert) => alert.code === code && alert.subject === subject);
};
const waitForArrival = (path: string, n: number): Promise<boolean> =>
  until(`${n} at ${path}`, () => numbersAt(path).includes(n));

fixture.kills.test(
  'a failing webhook gets another URL, is paused across a kill and resumed, and each event arrives in order',
  async function* () {
    const { client, source } = await deploySource();
    const { receiver } = fixture;
    const webhook = await client.createWebhook({ url: receiver.url('/old'), retry_schedule: retryWaits });
    const witness = await client.createWebhook({ url: receiver.url('/witness') });
    for (const { id } of [webhook, witness])
      await client.createSubscription({ emitter_id: source.id, listener_id: id });
    await post(source, 1);
    await waitForArrival('/old', 1);
    receiver.behaviours.set('/old', 'error');
    await post(source, 2, 3);
    await waitForArrival('/old', 2);
    const headers = { 'X-Team': 'blue' };
    const changed = await client.updateWebhook(webhook.id, { url: receiver.url('/new'), timeout_ms: 5_000, headers });
    expect(changed).toMatchObject({ url: receiver.url('/new'), timeout_ms: 5_000, retry_schedule: retryWaits });
    await waitForArrival('/new', 3);
    expect([numbersAt('/old'), numbersAt('/new')]).toEqual([
      [1, 2],
      [2, 3],
    ]);

    expect(await client.pauseWebhook(webhook.id)).toMatchObject({ active: false, disabled_reason: null });
    await post(source, 4, 5);
    await waitForArrival('/witness', 5);
    yield onlyWaitForKill;
    await post(source, 6);
    await waitForArrival('/witness', 6);
    const paused = await client.webhook(webhook.id);
    expect([paused.active, paused.paused_at === null, numbersAt('/new')]).toEqual([false, false, [2, 3]]);

    const next = await client.regenerateSigningKey(webhook.id);
    expect(await client.resumeWebhook(webhook.id)).toMatchObject({ active: true, paused_at: null });
    await waitForArrival('/new', 6);
    expect(numbersAt('/new')).toEqual([2, 3, 4, 5, 6]);
    const last = receiver.requestsTo('/new').at(-1) as ReceivedRequest;
    for (const key of [webhook.signing_key, next.signing_key ?? '']) verify(key, last);
    expect(() => verify(witness.signing_key, last)).toThrow();
  },
);

test(
  'a receiver that answered 410 gets the waiting events once its webhook is active again',
  async () => {
    const { client, source } = await deploySource();
    const { receiver } = fixture;
    const webhook = await client.createWebhook({ url: receiver.url('/gone'), signature: 'ed25519' });
    await client.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
    receiver.behaviours.set('/gone', 'gone');
    await post(source, 1, 2);
    await until('the webhook to be disabled', async () => !(await client.webhook(webhook.id)).active);
    expect(await client.webhook(webhook.id)).toMatchObject({ disabled_reason: 'gone', paused_at: null });
    await until('the alert', () => isLive('webhook_gone', webhook.id));
    receiver.behaviours.delete('/gone');
    await client.updateWebhook(webhook.id, { active: true });
    await waitForArrival('/gone', 2);
    await until('the alert to end', async () => !(await isLive('webhook_gone', webhook.id)));
    expect(numbersAt('/gone')).toEqual([1, 2]);
    const [, second] = receiver.requestsTo('/gone');
    expect(isSignedBy(webhook.public_key ?? '', second as ReceivedRequest)).toBe(true);
    expect(second?.headers).not.toHaveProperty('x-pd-signature');
  },
  storyMs,
);

test(
  'with on_exhausted block, a webhook waits after the last retry and continues in order once it is updated',
  async () => {
    const { client, source } = await deploySource();
    const { receiver } = fixture;
    const policy = { on_exhausted: 'block', retry_schedule: [], rate_limit: 100 } as const;
    const webhook = await client.createWebhook({ url: receiver.url('/blocked'), ...policy });
    expect(webhook).toMatchObject(policy);
    const subscription = await client.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
    const isTold = (): Promise<boolean> => isLive('delivery_blocked', subscription.id);
    receiver.behaviours.set('/blocked', 'error');
    await post(source, 1, 2, 3);
    await until('the alert', isTold);
    expect(receiver.requestsTo('/blocked')).toHaveLength(1);
    receiver.behaviours.delete('/blocked');
    await client.updateWebhook(webhook.id, { name: 'repaired' });
    await waitForArrival('/blocked', 3);
    expect(receiver.requestsTo('/blocked').map(({ body }) => (JSON.parse(body) as { n: number }).n)).toEqual([
      1, 1, 2, 3,
    ]);
    await until('the alert to end', async () => !(await isTold()));
  },
  storyMs,
);

interface Keyed {
  readonly customer: { readonly id: number };
  readonly n: number;
}

fixture.kills.test(
  'an order key keeps each key in order despite failures and a kill, and a blocked key delays no other',
  async function* () {
    const client = createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });
    const channel = await client.deploySource({ kind: 'channel', name: 'keyed' });
    const { receiver } = fixture;
    const policy = { order_key: '/customer/id', on_exhausted: 'block', retry_schedule: [0, 0, 0, 0, 0] } as const;
    const webhook = await client.createWebhook({ url: receiver.url('/keyed'), ...policy });
    expect(webhook).toMatchObject({ ordered: true, ...policy });
    const subscription = await client.createSubscription({ emitter_id: channel.id, listener_id: webhook.id });
    const [keys, count, brokenKey] = [20, 1_000, 7];
    let [calls, isRepaired] = [0, false];
    receiver.behaviours.set('/keyed', (body) => {
      if ((JSON.parse(body) as Keyed).customer.id === brokenKey) return isRepaired ? 'ok' : 'error';
      return ++calls % 20 === 0 ? 'error' : 'ok';
    });
    const publish = (from: number) =>
      client.publish(
        channel.id,
        Array.from({ length: count / 2 }, (_, i) => ({ event: { customer: { id: (from + i) % keys }, n: from + i } })),
      );
    const arrivedOf = (key: number): number[] =>
      receiver.firstCopies<Keyed>('/keyed').flatMap(({ customer, n }) => (customer.id === key ? [n] : []));
    const ofKey = (key: number): number[] => Array.from({ length: count / keys }, (_, i) => i * keys + key);
    const counters = async () => (await client.subscription(subscription.id)).counters;
    yield async () => {
      await publish(0);
      await until('the first deliveries', () => receiver.requestsTo('/keyed').length > 100);
    };
    await publish(count / 2);
    await until('the other keys', async () => (await counters()).delivered === count - count / keys, afterKillMs);
    expect(await counters()).toMatchObject({ published: count, pending: count / keys });
    expect(arrivedOf(brokenKey)).toEqual([brokenKey]);

    isRepaired = true;
    await client.updateWebhook(webhook.id, { name: 'repaired' });
    await until('every event', async () => (await counters()).delivered === count, afterKillMs);
    for (let key = 0; key < keys; key++) expect(arrivedOf(key)).toEqual(ofKey(key));
  },
);

/** Checks a signature as a receiver with only the public key does. */
function isSignedBy(publicKey: string, { id, headers, body }: ReceivedRequest): boolean {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signature = Buffer.from((headers['webhook-signature'] ?? '').slice('v1a,'.length), 'base64');
  return verifyBytes(null, Buffer.from(`${id}.${headers['webhook-timestamp']}.${body}`), key, signature);
}
