import { until } from '../../../../test/support/until.ts';
import { finishedOf } from '../../../domain/delivery/cursor.ts';
import type { CursorEvent } from '../../../domain/delivery/messages.ts';
import { failedInlineMax } from '../../../domain/delivery/cursor.ts';
import { DeliveryWorld, upTo } from '../delivery.world.fake.ts';

type Advanced = Extract<CursorEvent, { type: 'CursorAdvanced' }>['data'];

let world: DeliveryWorld;
beforeEach(async () => {
  world = new DeliveryWorld();
  await world.addKey();
});
afterEach(async () => {
  expect(world.fatal).toEqual([]);
  await world.end();
});

const advanced = (): Advanced[] =>
  world.log
    .records('cursors')
    .filter(({ type }) => type === 'CursorAdvanced')
    .map(({ data }) => data as Advanced);
const newest = (): Advanced | undefined => advanced().at(-1);

test('a cursor reports its current event, the last failure and the time of the retry, even after a restart', async () => {
  await world.addWebhook('wh_1', { retrySchedule: [3_600] });
  await world.subscribe('sub_1', { listenerId: 'wh_1' });
  world.webhook.script = ({ body }) => ({ status: body.includes('"n":2,') ? 503 : 200 });
  await world.start();
  const [, second] = await world.emit(upTo(3));
  const blocked = await until('the failure', () => (newest()?.report?.failed === null ? undefined : newest()));
  const failed = { eventId: second, status: 503, failure: null, at: expect.any(Number) as number };
  expect(blocked).toMatchObject({
    counters: { published: 2, delivered: 1 },
    report: { waiting: 0, eventId: second, failed, retryAt: blocked.open[0]?.dueAt },
  });
  await world.stop(0);
  await world.start();
  await world.emit([4]);
  await world.markAtEnd();
  expect(newest()?.report).toEqual(blocked.report);
});

test('events with records of their own are counted, so that each cursor record adds up by itself', async () => {
  await world.addWebhook('wh_1', { ordered: false, retrySchedule: [0.05, 3_600] });
  await world.subscribe('sub_1', { listenerId: 'wh_1' });
  const count = 4 * failedInlineMax;
  world.webhook.script = ({ body }) =>
    Number(/"n":(\d+)/.exec(body)?.[1]) % 4 === 0 ? { status: 200 } : { failure: 'connect' };
  await world.start();
  await world.emit(upTo(count));
  await until('all second attempts', () => world.webhook.calls.length === count / 4 + (2 * count * 3) / 4);
  await until('all to be written', () => newest()?.counters.delivered === count / 4 && world.cursor('sub_1/dc_a'));
  await until('the last retries to wait', () => (newest()?.report?.retryAt ?? 0) > Date.now() + 1_800_000);
  for (const { counters, open, report } of advanced())
    expect(counters.published).toBe(finishedOf(counters) + open.length + (report?.waiting ?? NaN));
  expect(newest()?.report).toMatchObject({
    waiting: (count * 3) / 4 - failedInlineMax,
    failed: { status: null, failure: 'connect' },
  });
});

test('events that block their keys until somebody acts have no next retry, also those with records of their own', async () => {
  await world.addWebhook('wh_1', { orderKey: '/n', onExhausted: 'block', retrySchedule: [] });
  await world.subscribe('sub_1', { listenerId: 'wh_1' });
  const count = 2 * failedInlineMax;
  world.webhook.script = () => ({ status: 500 });
  await world.start();
  await world.emit(upTo(count));
  await until('all to fail', () => world.webhook.calls.length === count);
  await until('the blocked to be written', () => newest()?.report?.waiting === count - failedInlineMax);
  expect(newest()).toMatchObject({ counters: { published: count }, report: { retryAt: null } });
});

test('a busy cursor writes one record for many events', async () => {
  await world.addWebhook('wh_1');
  await world.subscribe('sub_1', { listenerId: 'wh_1' });
  await world.start();
  const count = 10_000;
  for (let n = 0; n < count; n += 1_000) await world.emit(upTo(1_000));
  await until('all deliveries', () => world.finished('sub_1/dc_a') === count, 30_000);
  expect(advanced().length).toBeLessThan(count / 10);
}, 60_000);
