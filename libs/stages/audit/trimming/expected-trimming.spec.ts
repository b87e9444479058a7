// Audit signs what retention will trim before it may be trimmed: exactly the expired records and no others.
import { setTimeout as delay } from 'node:timers/promises';
import { positionKey } from '../../../log/log.ts';
import { AuditWorld } from '../audit-world.fake.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const retentionPosition = positionKey('retention', 0);

let world: AuditWorld;

beforeEach(async () => {
  world = await AuditWorld.start();
});

afterEach(() => world.task.stop(0));

/** Records of unknown types expire by their own time. */
const writeAt = (at: number): Promise<void> => world.write('deliveries', { at });
const moveRetention = (before: number): Promise<void> => {
  const data = { before, hooksBefore: before };
  return world.write('retention', { type: 'RetentionMoved', key: 'retention', data });
};

/** The walk runs in the background. */
async function untilSigned(): Promise<void> {
  for (const until = Date.now() + 20_000; world.position(retentionPosition) === undefined;) {
    if (Date.now() > until) throw new Error('the fact is not signed');
    await delay(5);
    await world.take();
  }
}

test('signs a retention fact before its mark moves, even with no new records', async () => {
  const { now } = world;
  for (const ago of [3, 2, 1, 0]) await writeAt(now - ago * hourMs);
  await world.turn(0);
  await world.turn(minuteMs);
  expect(world.checkpoints('deliveries')).toMatchObject([{ count: 4, trimmed: 0 }]);
  await moveRetention(now - 1.5 * hourMs);
  await world.turn(0);
  expect(world.position(retentionPosition)).toBeUndefined();
  await untilSigned();
  expect(world.checkpoints('deliveries')).toMatchObject([
    { count: 4, trimmed: 0 },
    { count: 4, trimmed: 2 },
  ]);
  const [first, second] = world.checkpoints('deliveries');
  expect(second?.root).toBe(first?.root);
});

test('a crash before the fact is signed leaves the mark in place, and trimmed records stay counted', async () => {
  const { now } = world;
  for (const ago of [3, 2, 1]) await writeAt(now - ago * hourMs);
  await world.turn(0);
  await world.turn(minuteMs);
  await moveRetention(now - 1.5 * hourMs);
  await world.open();
  await world.turn(0);
  await untilSigned();
  await world.log.trim('deliveries', 0, 2);
  await world.open();
  await writeAt(world.now);
  await world.turn(0);
  await world.turn(minuteMs);
  expect(world.checkpoints('deliveries')).toMatchObject([
    { count: 3, trimmed: 0 },
    { count: 3, trimmed: 2 },
    { count: 4, trimmed: 2 },
  ]);
});

test('records that arrive after the fact but have already expired are signed as trimmed in their checkpoint', async () => {
  const { now } = world;
  await moveRetention(now - hourMs);
  await world.turn(0);
  await untilSigned();
  await writeAt(now - 3 * hourMs);
  await writeAt(now - 2 * hourMs);
  await writeAt(now);
  await writeAt(now - 2 * hourMs);
  await world.turn(0);
  await world.turn(minuteMs);
  expect(world.checkpoints('deliveries')).toMatchObject([{ count: 4, trimmed: 2 }]);
});
