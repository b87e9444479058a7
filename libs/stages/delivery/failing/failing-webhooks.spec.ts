import { until } from '../../../../test/support/until.ts';
import type { CursorEvent } from '../../../domain/delivery/messages.ts';
import { noAlerts } from '../../loop/alerts/alerts.ts';
import { DeliveryWorld } from '../delivery.world.fake.ts';
import type { WebhookTarget } from '../targets/target.ts';
import { FailingWebhooks } from './failing-webhooks.ts';
import type { FailingCursor } from './failing-webhooks.ts';

const hourMs = 60 * 60_000;
const alert = 'webhook_failing/wh_1';

let world: DeliveryWorld;
let isFailing: (body: string) => boolean;

beforeEach(async () => {
  world = new DeliveryWorld({ failingCheckMs: 5 });
  isFailing = () => true;
  world.webhook.script = ({ body }) => ({ status: isFailing(body) ? 500 : 200 });
  await world.addKey();
  await world.addWebhook('wh_1', { retrySchedule: [86_400, 86_400] });
  await world.subscribe('sub_1', { listenerId: 'wh_1', emitterId: 'dc_*' });
  await world.start();
});
afterEach(async () => {
  expect(world.fatal).toEqual([]);
  await world.end();
});

/** Waits for a few checks. */
const looks = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
const attempts = () => world.log.records('deliveries').filter(({ type }) => type === 'DeliveryAttempted');
const attempted = async (count: number): Promise<void> => {
  await until('the attempts', () => attempts().length === count);
  await world.markAtEnd();
};
const failingFor = async (ms: number): Promise<void> => {
  await world.emit([1], { emitterId: 'dc_a' });
  await attempted(1);
  world.clockAheadMs += ms;
};
const alertRaised = async (): Promise<void> => void (await until('the alert', () => world.liveAlerts.has(alert)));
const alertEnded = async (): Promise<void> => void (await until('its end', () => !world.liveAlerts.has(alert)));
const sinceOnLog = (): number | undefined => {
  const records = world.log.records('cursors').filter(({ key }) => key === 'sub_1/dc_a');
  const data = records.at(-1)?.data as Extract<CursorEvent, { type: 'CursorAdvanced' }>['data'] | undefined;
  return data?.report?.failingSince;
};

test('a webhook to which every attempt has failed for an hour is told of, with the time of the first failure', async () => {
  const before = Date.now();
  await failingFor(hourMs - 60_000);
  await looks();
  expect([...world.liveAlerts]).toEqual([]);
  world.clockAheadMs += 60_000;
  await alertRaised();
  const [, , since = 0] = world.alertCalls[0] ?? [];
  expect(since).toBeGreaterThanOrEqual(before);
  expect(since).toBeLessThanOrEqual(Date.now());
  expect(sinceOnLog()).toBe(since);
  const text = await world.metrics.text();
  expect(text).toContain('\nwellspring_delivery_failing_webhooks 1\n');
  expect(Number(/\nwellspring_delivery_failing_seconds (\S+)/.exec(text)?.[1])).toBeGreaterThanOrEqual(3_600);
});

test('the alert is held while a retry waits for a day, however often is looked', async () => {
  await failingFor(hourMs);
  await alertRaised();
  world.clockAheadMs += hourMs;
  await looks();
  expect(world.alertCalls).toHaveLength(1);
});

test.each(['dc_a', 'dc_b'])('the alert ends with the first success, of whatever source (%s)', async (emitterId) => {
  await failingFor(hourMs);
  await alertRaised();
  isFailing = () => false;
  await world.changeWebhook('wh_1', { ordered: false });
  await world.emit([2], { emitterId });
  await alertEnded();
  await until('it on the log', () => sinceOnLog() === undefined);
  expect(world.alertCalls.map(([what]) => what)).toEqual(['raise', 'end']);
});

test('a success between the failures begins the hour anew', async () => {
  await failingFor(hourMs - 60_000);
  isFailing = (body) => body.includes('dc_a');
  await world.emit([2], { emitterId: 'dc_b' });
  await attempted(2);
  world.clockAheadMs += hourMs;
  await looks();
  expect([...world.liveAlerts]).toEqual([]);
});

test('a restart forgets neither since when it fails, nor that an alert may have to end', async () => {
  await failingFor(hourMs - 60_000);
  const since = sinceOnLog();
  await world.stop(0);
  world.clockAheadMs += 60_000;
  await world.start();
  await alertRaised();
  expect(world.alertCalls).toEqual([['raise', alert, since]]);
  await world.stop(0);
  await world.start();
  isFailing = () => false;
  await world.emit([2], { emitterId: 'dc_b' });
  await alertEnded();
});

test.each([
  ['paused', () => world.changeWebhook('wh_1', { disabled: true, pausedAt: 1, generation: 1 })],
  ['pointed elsewhere', () => world.changeWebhook('wh_1', { url: 'https://other.example/', generation: 1 })],
  ['deleted', () => world.deleteWebhook('wh_1')],
  ['left without a subscription', () => world.unsubscribe('sub_1')],
])('the alert ends when its webhook is %s', async (_what, change) => {
  await failingFor(hourMs);
  await alertRaised();
  await change();
  await alertEnded();
  await looks();
  expect([...world.liveAlerts]).toEqual([]);
});

test('an attempt that fails after its subscription was deleted raises no alert', async () => {
  world.webhook.script = () => 'hangs';
  await world.emit([1], { emitterId: 'dc_a' });
  await until('the attempt', () => world.webhook.inFlight === 1);
  await world.unsubscribe('sub_1');
  await world.markAtEnd();
  world.webhook.calls[0]?.settle({ status: 500 });
  await looks();
  world.clockAheadMs += hourMs;
  await looks();
  expect(world.alertCalls).toEqual([]);
});

test('a single failure long ago, with nothing left to try, raises no alert', async () => {
  await world.changeWebhook('wh_1', { retrySchedule: [] });
  await failingFor(hourMs);
  await looks();
  expect([...world.liveAlerts]).toEqual([]);
  await world.emit([2], { emitterId: 'dc_a' });
  await alertRaised();
});

test('the state of a webhook in a partition that another process follows now is ignored', () => {
  let now = 0;
  const failing = new FailingWebhooks({ now: () => now, failingMs: hourMs, checkMs: hourMs });
  const cursorOf = (webhook: { stopped: boolean }): FailingCursor => ({
    subscription: { webhook: Object.assign(webhook, { webhookId: 'wh_2' }) as unknown as WebhookTarget },
    reportState: { failed: null, failingSince: undefined },
    position: { open: [{}] },
    retries: { size: 0 },
  });
  const [there, here] = [{ stopped: false }, { stopped: false }];
  const released = cursorOf(there);
  const owner = { alerts: noAlerts, touch: () => {} };
  for (const cursor of [released, cursorOf(here)]) failing.noteFailure(cursor, 0, owner);
  now = 2 * hourMs;
  expect(failing.longFailing.webhooks).toBe(1);
  failing.releaseCursor(released);
  here.stopped = true;
  expect(failing.longFailing.webhooks).toBe(0);
  failing.close();
});
