// Tests of webhooks: a signed sample is sent at once, and only the reply reports it.
import type { Reply } from '../../../log/log.ts';
import { until } from '../../../../test/support/until.ts';
import { DeliveryWorld, sealed } from '../delivery.world.fake.ts';

type Tested = Extract<Reply, { readonly type: 'WebhookTested' }>;

let world: DeliveryWorld;
let replies: Tested[];
beforeEach(async () => {
  world = new DeliveryWorld();
  replies = [];
  world.log.onReply('gw_1', (reply) => reply.type === 'WebhookTested' && replies.push(reply));
  await world.addKey();
  const headers = [{ name: 'x-token', value: sealed('t0k3n-1') }];
  await world.addWebhook('wh_1', { headers, timeoutMs: 30_000, disabled: true });
  await world.start();
});
afterEach(() => world.end());

async function requestTest(webhookId = 'wh_1', at = Date.now(), overrides: object = {}): Promise<void> {
  const record = {
    ...world.record('WebhookTestRequested', webhookId, { webhookId, replyTo: 'gw_1' }),
    at,
    ...overrides,
  };
  await world.log.request({ topic: 'requests', partition: 0, record: record as never });
}

async function requestsRead(): Promise<void> {
  const end = await world.log.end('requests', 0);
  await until('the request to be taken', () => (world.positions['requests/0'] ?? 0) >= end);
}

test('sends a signed sample, even to an inactive webhook, and replies with the attempt', async () => {
  world.webhook.script = () => ({ status: 503, body: 'busy', headers: { server: 's' } });
  await requestTest();
  await until('the reply', () => replies.length === 1);
  const [call] = world.webhook.calls;
  expect(call?.request).toMatchObject({ url: 'https://receiver.example/wh_1', timeoutMs: 25_000 });
  expect(call?.request.headers).toMatchObject({ 'x-wellspring-sample': 'true', 'x-token': 't0k3n-1' });
  expect(call?.request.headers['webhook-signature']).toMatch(/^v1,/);
  expect(call?.request.headers).not.toHaveProperty('x-pd-emitter-id');
  expect(JSON.parse(call?.request.body ?? '')).toMatchObject({ type: 'webhook.test', webhook_id: 'wh_1' });
  expect(replies[0]).toMatchObject({
    refused: null,
    attempt: { status: 503, answer: 'busy', answerHeaders: { server: 's' }, requestHeaders: { 'x-token': '[secret]' } },
  });
  for (const topic of ['deliveries', 'cursors'] as const) expect(world.log.records(topic)).toEqual([]);
});

test('shows nothing of the headers that the owner has set where the receiver repeats them', async () => {
  world.webhook.script = () => ({ status: 200, body: 'you sent t0k3n-1', headers: { 'x-back': 't0k3n-1' } });
  await requestTest();
  await until('the reply', () => replies.length === 1);
  expect(replies[0]?.attempt).toMatchObject({ answer: 'you sent [secret]', answerHeaders: { 'x-back': '[secret]' } });
});

test('an attempt without an answer is reported too, and waiting for it does not hold up other requests', async () => {
  world.webhook.script = () => 'hangs';
  await requestTest();
  await until('the call', () => world.webhook.calls.length === 1);
  await requestsRead();
  world.webhook.calls[0]?.settle({ failure: 'timeout' });
  await until('the reply', () => replies.length === 1);
  expect(replies[0]?.attempt).toMatchObject({ status: null, failure: 'timeout', answerHeaders: null });
});

test('an unknown webhook is refused, and a request that nobody waits for any more is skipped', async () => {
  await requestTest('wh_none');
  await until('the reply', () => replies.length === 1);
  expect(replies[0]).toMatchObject({ refused: 'unknown_webhook', attempt: null });
  await requestTest('wh_1', Date.now() - 31_000);
  await requestsRead();
  expect(world.webhook.calls).toEqual([]);
});

test('a webhook of another workspace is refused as an unknown one', async () => {
  await requestTest('wh_1', Date.now(), { workspace: 'o_other' });
  await until('the reply', () => replies.length === 1);
  expect(replies[0]).toMatchObject({ refused: 'unknown_webhook', attempt: null });
  expect(world.webhook.calls).toEqual([]);
});

test('runs four tests of a workspace at a time and refuses a fifth', async () => {
  world.webhook.script = () => 'hangs';
  for (let n = 0; n < 5; n++) await requestTest();
  await until('the refusal', () => replies.length === 1);
  expect(replies[0]).toMatchObject({ refused: 'too_many' });
  expect(world.webhook.calls).toHaveLength(4);
});
