// Parked events that retention removes become expired, once, whoever acts on them and whenever the stage is killed.
import { pause, until } from '../../../../test/support/until.ts';
import type { CursorCounters } from '../../../domain/delivery/messages.ts';
import { requestAct, requestsCarriedOut } from '../requests/act-world.fake.ts';
import { upTo } from '../delivery.world.fake.ts';
import { ReplayWorld } from '../replays/spec/replay-world.fake.ts';

const live = 'sub_1/dc_a';
let world: ReplayWorld;
afterEach(() => world.end());

const counters = (): CursorCounters => world.cursor(live)?.data['counters'] as CursorCounters;

/** Events 1 to 3 are old and parked, 4 and 5 are new and parked, and 6 is delivered. */
async function parked(): Promise<void> {
  world = await ReplayWorld.with({ retrySchedule: [] });
  world.webhook.script = ({ body }) => ({ status: body.includes('"n":6,') ? 200 : 500 });
  await world.start();
  await world.emit(upTo(3), { ms: 1_000 });
  await world.emit([4, 5, 6], { ms: 3_000 });
  await until('all to be finished', () => world.finished(live) === 6);
  expect(counters()).toMatchObject({ published: 6, delivered: 1, parked: 5 });
}

test('parked events that retention removes become expired, without an alert, and again after a restart', async () => {
  await parked();
  await world.setRetention(2_000);
  await world.retentionApplied();
  expect(counters()).toMatchObject({ published: 6, delivered: 1, parked: 2, expired: { gone: 0, retention: 3 } });
  await world.stop(0);
  await world.start();
  await world.setRetention(4_000);
  await world.retentionApplied();
  expect(counters()).toMatchObject({ published: 6, delivered: 1, parked: 0, expired: { gone: 0, retention: 5 } });
  expect([...world.liveAlerts]).toEqual([]);
  expect(world.fatal).toEqual([]);
});

test('each of them counts once, whenever the stage is killed', async () => {
  await parked();
  await world.stop(0);
  await world.setRetention(2_000);
  for (let kill = 0; kill < 8; kill++) {
    await world.start();
    await pause(kill);
    await world.stop(0);
  }
  await world.start();
  await world.retentionApplied();
  expect(counters()).toMatchObject({ published: 6, delivered: 1, parked: 2, expired: { gone: 0, retention: 3 } });
});

test('a retry, a discard and a replay of what has expired move no counter twice', async () => {
  await parked();
  await world.setRetention(2_000);
  await world.retentionApplied();
  world.webhook.script = () => ({ status: 200 });
  await requestAct(world, 'Discard', { n: 1, isParked: true });
  await requestAct(world, 'Retry', { n: 2, isParked: true });
  await world.requestReplay('rp_1', { only: 'parked' });
  await world.whenDone('rp_1');
  await requestsCarriedOut(world);
  await until('the sum', () => world.finished(live) === 6);
  const { published, delivered, parked: remaining, expired } = counters();
  expect([published, remaining, expired.discarded]).toEqual([6, 0, 1]);
  // The replay sends what is still on the log. Of events 1 to 3, at most the retried one counts as delivered.
  expect(delivered + expired.gone + expired.retention).toBe(5);
  expect(expired.gone + expired.retention).toBeGreaterThanOrEqual(1);
  await world.setRetention(4_000);
  await world.retentionApplied();
  expect(counters()).toMatchObject({ published: 6, delivered, parked: 0, expired });
});
