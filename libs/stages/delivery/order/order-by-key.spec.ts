// Order by key, through the whole stage: a failing key blocks only its own events, whatever else happens.
import fc from 'fast-check';
import { until } from '../../../../test/support/until.ts';
import type { AppendFault } from '../../../log/contract/harness.ts';
import type { WebhookDefinition } from '../../../domain/listener/definition/messages.ts';
import type { DeliveryLimits } from '../delivery-limits.ts';
import { DeliveryWorld, upTo } from '../delivery.world.fake.ts';

type Settings = Partial<WebhookDefinition['data']>;

const quickRetries = Array.from({ length: 20 }, () => 0.001);

async function begun(settings: Settings = {}, limits: Partial<DeliveryLimits> = {}): Promise<DeliveryWorld> {
  const world = new DeliveryWorld(limits);
  await world.addKey();
  await world.addWebhook('wh_1', { orderKey: '/key', retrySchedule: quickRetries, ...settings });
  await world.subscribe('sub_1', { listenerId: 'wh_1' });
  return world;
}

const byThird = (n: number): number => n % 3;
const distinct = (numbers: readonly number[]): number[] => [...new Set(numbers)];
const sentOf = (world: DeliveryWorld, key: number): number[] =>
  distinct(world.sentTo('wh_1')).filter((n) => byThird(n) === key);
const counters = (world: DeliveryWorld): Record<string, unknown> =>
  world.cursor('sub_1/dc_a')?.data['counters'] as Record<string, unknown>;
const isFailing = (n: number) => (request: { readonly body: string }) => ({
  status: request.body.includes(`"n":${n},`) ? 500 : 200,
});

test('a failing key blocks only itself', async () => {
  const world = await begun({ retrySchedule: [3_600] });
  await world.start();
  world.webhook.script = isFailing(1);
  await world.emit(upTo(12), { keyOf: byThird });
  await until('the other keys', () => sentOf(world, 0).length + sentOf(world, 2).length === 8);
  await until('the line on the log', () => world.log.records('cursors').some(({ type }) => type === 'KeyWaiting'));
  expect(sentOf(world, 1)).toEqual([1]);
  const [line] = world.log.records('cursors').filter(({ type }) => type === 'KeyWaiting');
  expect(line).toMatchObject({ version: 6, data: { sequence: 4 } });
  await world.end();
});

test('events waiting for a key continue in order after a kill, and their record goes with the last of them', async () => {
  // More retries than a busy machine makes before the kill.
  const world = await begun({ retrySchedule: Array.from({ length: 20 }, () => 0.3) });
  await world.start();
  world.webhook.script = isFailing(1);
  await world.emit(upTo(30), { keyOf: byThird });
  await until('the line on the log', () => counters(world)?.['published'] === 30);
  await world.stop(0);
  world.webhook.script = () => ({ status: 200 });
  await world.start();
  await until('every event', () => world.finished('sub_1/dc_a') === 30);
  for (const key of [0, 1, 2]) expect(sentOf(world, key)).toEqual(upTo(30).filter((n) => byThird(n) === key));
  const line = world.log.records('cursors').find(({ type }) => type === 'KeyWaiting');
  expect(world.isRemoved(line?.key ?? '')).toBe(true);
  expect(counters(world)).toMatchObject({ published: 30, delivered: 30 });
  await world.end();
});

test('keys proceed side by side, each with one event in flight', async () => {
  const world = await begun();
  await world.start();
  world.webhook.script = () => 'hangs';
  await world.emit(upTo(9), { keyOf: byThird });
  await until('one of each key', () => world.webhook.calls.length === 3);
  await world.markAtEnd();
  expect(world.sentTo('wh_1')).toEqual([1, 2, 3]);
  await world.end();
});

test('a key that blocks after its last retry continues when its webhook is updated', async () => {
  const world = await begun({ onExhausted: 'block', retrySchedule: [] });
  await world.start();
  world.webhook.script = isFailing(1);
  await world.emit(upTo(12), { keyOf: byThird });
  await until('the alert', () => world.liveAlerts.has('delivery_blocked/sub_1'));
  await until('the other keys', () => world.finished('sub_1/dc_a') === 8);
  expect([sentOf(world, 1), world.liveAlerts.has('delivery_blocked/sub_1')]).toEqual([[1], true]);
  world.webhook.script = () => ({ status: 200 });
  await world.changeWebhook('wh_1', { name: 'repaired' });
  await until('every event', () => world.finished('sub_1/dc_a') === 12);
  expect(sentOf(world, 1)).toEqual([1, 4, 7, 10]);
  expect(world.liveAlerts.has('delivery_blocked/sub_1')).toBe(false);
  await world.end();
});

test('a parked event lets the next one of its key continue', async () => {
  const world = await begun({ retrySchedule: [] });
  await world.start();
  world.webhook.script = isFailing(1);
  await world.emit(upTo(12), { keyOf: byThird });
  await until('every event', () => world.finished('sub_1/dc_a') === 12);
  expect(sentOf(world, 1)).toEqual([1, 4, 7, 10]);
  expect(counters(world)).toMatchObject({ delivered: 11, parked: 1 });
  await world.end();
});

const fault = fc.constantFrom<AppendFault>('unknown_outcome_committed', 'unknown_outcome_lost', 'unavailable');
/** The calls of the receiver at which an append or attempt fails or the stage is killed, and each event's key. */
const course = fc.record({
  faults: fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fault), { maxLength: 2 }),
  errors: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 12 }),
  kills: fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 2 }),
  keys: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 20, maxLength: 20 }),
});

test('whatever fails and whenever the stage is killed, every event arrives, in order per key', async () => {
  await fc.assert(
    fc.asyncProperty(course, async ({ faults, errors, kills, keys }) => {
      const world = await begun({}, { flushCompletions: 3, flushMs: 2, idleFlushMs: 4 });
      const keyOf = (n: number): number => keys[n] ?? 0;
      const pendingKills = new Set(kills);
      world.webhook.script = (_, nth) => {
        for (const [at, kind] of faults) if (at === nth) world.log.failNextAppend(kind);
        return { status: errors.includes(nth) ? 500 : 200 };
      };
      for (const n of keys.keys()) await world.emit([n], { keyOf });
      await world.start();
      while (world.finished('sub_1/dc_a') < keys.length) {
        await until(
          'more calls',
          () => world.finished('sub_1/dc_a') >= keys.length || pendingKills.has(world.webhook.calls.length),
        );
        if (!pendingKills.delete(world.webhook.calls.length)) continue;
        await world.stop(0);
        await world.start();
      }
      await world.stop();
      expect(world.fatal).toEqual([]);
      const sent = distinct(world.sentTo('wh_1'));
      for (const key of new Set(keys)) {
        const expected = [...keys.keys()].filter((n) => keyOf(n) === key);
        expect(sent.filter((n) => keyOf(n) === key)).toEqual(expected);
      }
      expect(counters(world)).toMatchObject({ published: keys.length, delivered: keys.length });
      expect(linesLeft(world)).toEqual([]);
      await world.end();
    }),
    { numRuns: 25 },
  );
}, 60_000);

/** Keys of records about waiting events that no tombstone has removed yet. */
function linesLeft(world: DeliveryWorld): string[] {
  const keys = new Set(world.log.records('cursors').map(({ key }) => key));
  return [...keys].filter((key) => key.split('/').length > 2 && !world.isRemoved(key));
}
