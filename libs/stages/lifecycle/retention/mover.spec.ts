import { checkRecord } from '../../../domain/record/check-record.ts';
import type { RetentionMoved } from '../../../domain/retention/messages.ts';
import type { Source } from '../../../domain/source/state/source.ts';
import { noSources } from '../../../domain/source/state/sources.ts';
import { recordOf, samples } from '../../../domain/record/samples.fake.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import type { Outgoing } from '../../../log/log.ts';
import { until } from '../../../../test/support/until.ts';
import type { RetentionSettings } from '../../loop/settings.ts';
import { RetentionMover } from './mover.ts';

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;

let mover: RetentionMover | undefined;
afterEach(() => mover?.close());

function start(settings: RetentionSettings, last?: RetentionMoved, sources = noSources()) {
  const appended: Outgoing[] = [];
  const clock = { now: 1_700_000_000_000 };
  const log = new MemoryLog({ partitions: 2 });
  const failed: Error[] = [];
  mover = new RetentionMover({
    settings: { ...settings, lookMs: 1 },
    ambient: { now: () => clock.now, randomBytes: (count) => Buffer.alloc(count) },
    last,
    sources,
    log,
    fail: (error) => failed.push(error),
    append: (outgoing) => appended.push(outgoing),
  });
  mover.start();
  const befores = () => appended.map(({ record }) => (record.data as RetentionMoved).before);
  return { appended, clock, log, failed, befores };
}

test('appends at once how far back data is kept, and again an hour later', async () => {
  const { appended, clock, befores } = start({ days: 90 });
  const first = clock.now - 90 * dayMs;
  await until('the first fact', () => appended.length === 1);
  clock.now += hourMs;
  await until('the second', () => appended.length === 2);
  expect(befores()).toEqual([first, first + hourMs]);
  for (const { topic, partition, record } of appended) {
    expect([topic, partition, record.key]).toEqual(['retention', 0, 'retention']);
    expect(checkRecord('retention', record)).toBeUndefined();
  }
});

test('does not append what the log already says', async () => {
  const now = 1_700_000_000_000;
  const last = { before: now - 90 * dayMs, hooksBefore: now - 90 * dayMs };
  const { appended, clock } = start({ days: 90 }, last);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(appended).toEqual([]);
  clock.now += hourMs;
  await until('the next one', () => appended.length === 1);
});

test('gives up no data at once when the clock is years ahead of the last fact', async () => {
  const now = 1_700_000_000_000;
  const last = { before: now - 3_650 * dayMs, hooksBefore: 0, clock: now - 3_560 * dayMs };
  const { appended } = start({ days: 90 }, last);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(appended).toEqual([]);
});

test('gives up the oldest day of a log that is too large, and waits before it looks again', async () => {
  let used = 50;
  const { appended, clock, log, befores } = start({ days: 0, bytes: { max: 100, used: () => used } });
  const at = clock.now - 30 * dayMs;
  const record = recordOf('TriggerRequested', samples.triggers.TriggerRequested, { at });
  await log.request({ topic: 'triggers', partition: 1, record });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(appended).toEqual([]);
  used = 101;
  await until('the fact', () => appended.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(befores()).toEqual([at + dayMs]);
});

test('keeps the outcomes of hooks from an hour before the oldest deploy that has not ended', async () => {
  const now = 1_700_000_000_000;
  const sources = noSources();
  const deployed = { status: 'deployed', createdAt: now - 400 * dayMs };
  const deploys = [100, 200, 150].map((days) => ({ status: 'deploying', createdAt: now - days * dayMs }));
  for (const [n, source] of [deployed, ...deploys].entries()) sources.byId.set(`dc_${n}`, source as Source);
  const { appended } = start({ days: 90 }, undefined, sources);
  await until('the fact', () => appended.length === 1);
  expect(appended[0]?.record.data).toMatchObject({
    before: now - 90 * dayMs,
    hooksBefore: now - 200 * dayMs - hourMs,
  });
});

test('a mover that is closed while it waits for the log appends nothing, and reads no more', async () => {
  const { appended, clock, log, failed } = start({ days: 90, bytes: { max: 100, used: () => 101 } });
  const record = recordOf('TriggerRequested', samples.triggers.TriggerRequested, { at: clock.now - 30 * dayMs });
  await log.request({ topic: 'triggers', partition: 1, record });
  const held = Promise.withResolvers<void>();
  const read = log.read.bind(log);
  let reads = 0;
  log.read = async (...args) => {
    reads++;
    await held.promise;
    return read(...args);
  };
  await until('it to read', () => reads > 0);
  mover?.close();
  held.resolve();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const readsThen = reads;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([appended, failed, reads]).toEqual([[], [], readsThen]);
});

test('reports a failure of the log to the stage', async () => {
  const { log, failed } = start({ days: 0, bytes: { max: 100, used: () => 101 } });
  await log.close();
  await until('it to be told', () => failed.length === 1);
  expect(failed[0]).toMatchObject({ code: 'closed' });
});
