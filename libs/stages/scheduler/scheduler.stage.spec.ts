import type { Trigger } from '../../domain/source/messages.ts';
import { runIdOf } from '../../domain/run/run-output.ts';
import type { StoredRecord } from '../../domain/message.ts';
import type {
  RevisionDefinition,
  SourceDefinition,
  UpdateDefinition,
} from '../../domain/source/definition/messages.ts';
import type { ScheduleEvent, TimerSchedule } from '../../domain/timer/messages.ts';
import { until } from '../../../test/support/until.ts';
import { SchedulerWorld } from './world.fake.ts';

const minute = { intervalSeconds: 60 };
let world: SchedulerWorld;
beforeEach(async () => {
  world = await SchedulerWorld.start();
});

const ticks = (): readonly (readonly [string, number])[] =>
  world.triggers().map(({ key, data }) => [key, (data.event as { readonly timestamp: number }).timestamp]);
const runs = (): readonly string[] => world.triggers().map(runIdOf);
const schedules = (): readonly StoredRecord<ScheduleEvent>[] => world.schedules();

const updating = (update: Partial<UpdateDefinition>): Partial<SourceDefinition['data']> => ({
  status: 'updating',
  update: { name: null, active: true, swapped: 'not_yet', other: null, refusal: null, ...update },
});

const revision = (number: number, timer: TimerSchedule | null): RevisionDefinition => ({
  revision: number,
  codeRevision: number,
  codeFrom: 0,
  configuredFrom: 0,
  hooks: ['activate'],
  http: null,
  timer,
});

test('a timer ticks one interval after the deploy and then every interval, with the time at which each tick was due', async () => {
  await world.define('dc_1', minute);
  await world.turn(59_999);
  expect(ticks()).toEqual([]);
  await world.turn(1);
  await world.turn(30_000);
  expect(ticks()).toEqual([['dc_1', world.beganSeconds + 60]]);
  expect(world.triggers()[0]?.data).toMatchObject({ kind: 'timer', revision: 1, event: { interval_seconds: 60 } });
  await world.endRun(runs()[0]);
  await world.turn(30_000);
  expect(ticks().map(([, at]) => at - world.beganSeconds)).toEqual([60, 120]);
});

test('reading runs pauses after a run, reading definitions does not', async () => {
  await world.define('dc_1', minute);
  await world.turn(0);
  expect([...world.paused]).toEqual([]);
  await world.endRun();
  await world.turn(0);
  expect([...world.paused]).toEqual(['runs']);
  await until('runs to be read on', () => world.paused.size === 0);
});

test('trigger and schedule are one append, and after a failed one the tick happens exactly once', async () => {
  for (const fault of ['unknown_outcome_lost', 'unknown_outcome_committed', 'unavailable'] as const) {
    world = await SchedulerWorld.start();
    await world.define('dc_1', minute);
    await world.turn(0);
    world.log.failNextAppend(fault);
    await expect(world.turn(60_000)).rejects.toThrow();
    await world.open();
    await world.turn(0);
    await world.turn(1_000);
    expect(ticks()).toEqual([['dc_1', world.beganSeconds + 60]]);
    expect(schedules().at(-1)?.data).toMatchObject({ waitsFor: runs()[0], lastDue: world.began + 60_000 });
  }
});

test('a replaced owner cannot append ticks any more', async () => {
  await world.define('dc_1', minute);
  await world.turn(0);
  const stalled = world.task;
  const stalledWriter = world.writer;
  await world.open();
  await world.turn(60_000);
  const late = stalled.takeOutput(1_000_000);
  await expect(stalledWriter.append(late?.records ?? [], {})).rejects.toMatchObject({ code: 'fenced' });
  expect(ticks()).toHaveLength(1);
});

test('a timer does not tick while the run of its last tick is active, and then ticks once for all missed ticks', async () => {
  await world.define('dc_1', { intervalSeconds: 1 });
  await world.turn(1_000);
  for (let i = 0; i < 90; i++) await world.turn(1_000);
  expect(ticks()).toHaveLength(1);
  await world.endRun('run_of_something_else');
  await world.turn(0);
  expect(ticks()).toHaveLength(1);
  await world.endRun(runs()[0]);
  await world.turn(0);
  expect(ticks().map(([, at]) => at - world.beganSeconds)).toEqual([1, 91]);
});

test('after a kill right after its first append of ticks, the scheduler still notices that their runs have ended', async () => {
  for (let n = 0; n < 900; n++) await world.define(`dc_${n}`, { intervalSeconds: 1 });
  await world.open();
  world.advanceClocks(1_000);
  const first = world.task.takeOutput(1_000_000);
  await world.writer.append(first?.records ?? [], first?.positions ?? {});
  const [ticked] = world.triggers();
  await world.endRun(ticked && runIdOf(ticked), ticked?.key);
  await world.open();
  await world.turn(1_000);
  expect(ticks().filter(([key]) => key === ticked?.key)).toHaveLength(2);
});

test('the scheduler still knows after a restart which runs have ended', async () => {
  await world.define('dc_1', { intervalSeconds: 1 });
  await world.define('dc_2', { intervalSeconds: 1 });
  await world.turn(1_000);
  const ended = world.triggers().find(({ key }) => key === 'dc_1');
  await world.endRun(ended && runIdOf(ended), 'dc_1');
  await world.turn(0);
  await world.open();
  await world.turn(10_000);
  expect(ticks().filter(([key]) => key === 'dc_1')).toHaveLength(2);
  expect(ticks().filter(([key]) => key === 'dc_2')).toHaveLength(1);
});

test('after downtime each timer ticks once', async () => {
  for (let i = 0; i < 600; i++) await world.define(`dc_${i}`, { intervalSeconds: 1 + (i % 7) });
  await world.turn(0);
  expect(schedules()).toHaveLength(600);
  world.advanceClocks(86_400_000);
  await world.open();
  await world.turn(0);
  expect(new Set(ticks().map(([key]) => key)).size).toBe(600);
  expect(ticks()).toHaveLength(600);
});

test('a changed schedule takes effect at once and counts from the change', async () => {
  await world.define('dc_1', { intervalSeconds: 3_600 });
  await world.turn(1_000);
  await world.define('dc_1', { intervalSeconds: 5 });
  await world.turn(4_999);
  expect(ticks()).toEqual([]);
  await world.turn(1);
  expect(ticks()).toHaveLength(1);
});

test('a source that is being deleted no longer ticks, and its schedule is erased with it', async () => {
  await world.define('dc_1', minute);
  await world.define('dc_2', minute);
  await world.turn(0);
  await world.define('dc_1', minute, { status: 'deleting' });
  await world.turn(60_000);
  expect(ticks().map(([key]) => key)).toEqual(['dc_2']);
  await world.undefine('dc_1');
  await world.turn(60_000);
  expect(ticks().map(([key]) => key)).toEqual(['dc_2']);
  expect(world.scheduledSources()).toEqual(['dc_2']);
});

describe.each([false, true])('with a restart of the scheduler meanwhile: %p', (hasRestart) => {
  const meanwhile = async (ms: number): Promise<void> => {
    await world.turn(0);
    if (hasRestart) await world.open();
    await world.turn(ms);
  };

  test.each([
    ['delete', { status: 'deleting' }],
    ['change to inactive', updating({ active: false })],
  ] as const)('a timer rests during a %s, and keeps its pace when that is refused', async (_name, process) => {
    await world.define('dc_1', minute);
    await world.turn(50_000);
    await world.define('dc_1', minute, process);
    await meanwhile(5_000);
    await world.define('dc_1', minute);
    await world.turn(5_000);
    expect(ticks()).toEqual([['dc_1', world.beganSeconds + 60]]);
    await world.endRun(runs()[0]);
    await world.define('dc_1', minute, process);
    await meanwhile(90_000);
    expect(ticks()).toHaveLength(1);
    await world.define('dc_1', minute);
    await world.turn(0);
    expect(ticks()).toEqual([60, 120].map((after) => ['dc_1', world.beganSeconds + after]));
  });

  test('an update that is refused after its swap neither ticks by its schedule nor moves the schedule before it', async () => {
    const second = { intervalSeconds: 1 };
    await world.define('dc_1', minute);
    await world.turn(50_000);
    await world.define('dc_1', second, {
      ...updating({ swapped: 'swapped', other: revision(1, minute) }),
      revision: 2,
    });
    await meanwhile(5_000);
    await world.define('dc_1', minute, updating({ swapped: 'back', other: revision(2, second) }));
    await meanwhile(2_000);
    await world.define('dc_1', minute);
    await world.turn(2_999);
    expect(ticks()).toEqual([]);
    await world.turn(1);
    expect(ticks()).toEqual([['dc_1', world.beganSeconds + 60]]);
  });

  test('a timer ticks during an update until the swap, rests until the update has ended, and keeps its pace', async () => {
    const after = (): readonly number[] => ticks().map(([, at]) => at - world.beganSeconds);
    await world.define('dc_1', minute);
    await world.define('dc_1', minute, updating({ other: revision(2, minute) }));
    await meanwhile(60_000);
    expect(after()).toEqual([60]);
    await world.endRun(runs()[0]);
    await world.define('dc_1', minute, {
      ...updating({ swapped: 'swapped', other: revision(1, minute) }),
      revision: 2,
    });
    await meanwhile(130_000);
    expect(after()).toEqual([60]);
    await world.define('dc_1', minute, { revision: 2 });
    await world.turn(0);
    expect(after()).toEqual([60, 180]);
    expect(world.triggers()[1]?.data).toMatchObject({ revision: 2 });
  });

  test('an update with another schedule ticks by it once the update has ended', async () => {
    const second = { intervalSeconds: 1 };
    await world.define('dc_1', null);
    await world.define('dc_1', second, { ...updating({ swapped: 'swapped', other: revision(1, null) }), revision: 2 });
    await meanwhile(5_000);
    expect(ticks()).toEqual([]);
    await world.define('dc_1', second, { revision: 2 });
    await world.turn(999);
    expect(ticks()).toEqual([]);
    await world.turn(1);
    expect(ticks()).toEqual([['dc_1', world.beganSeconds + 6]]);
  });
});

describe.each([false, true])('with a restart of the scheduler after each change: %p', (hasRestart) => {
  const turn = async (ms = 0): Promise<void> => {
    if (hasRestart) await world.open();
    await world.turn(ms);
  };

  test('a source that was made inactive has no ticks and no schedule; active again, it counts from then', async () => {
    await world.define('dc_1', minute);
    await turn(50_000);
    await world.define('dc_1', minute, { active: false });
    await turn(86_400_000);
    expect([ticks(), world.scheduledSources()]).toEqual([[], []]);
    await world.define('dc_1', minute);
    await turn(59_999);
    expect(ticks()).toEqual([]);
    await world.turn(1);
    expect(ticks()).toHaveLength(1);
  });

  test('a source that was deleted has no ticks and no schedule', async () => {
    await world.define('dc_1', { intervalSeconds: 1 });
    await turn(500);
    await world.undefine('dc_1');
    await turn(86_400_000);
    expect([ticks(), world.scheduledSources()]).toEqual([[], []]);
  });

  test('a changed schedule counts from the change, and its triggers name the revision that is current', async () => {
    await world.define('dc_1', { intervalSeconds: 5 });
    await turn(1_000);
    await world.define('dc_1', minute, { revision: 2 });
    await turn(59_999);
    expect(ticks()).toEqual([]);
    await world.define('dc_1', minute, { revision: 3 });
    await turn(1);
    expect(ticks()).toEqual([['dc_1', world.beganSeconds + 61]]);
    expect(world.triggers()[0]?.data).toMatchObject({ revision: 3 });
  });
});

test('a restart writes no schedule that is on the log already', async () => {
  await world.define('dc_1', minute);
  await world.define('dc_2', { cron: '0 0 * * *', timezone: 'UTC' });
  await world.turn(60_000);
  const written = schedules();
  await world.open();
  await world.turn(0);
  expect(schedules()).toEqual(written);
});

test('a timer whose last run ended long before a restart ticks on after it', async () => {
  await world.define('dc_1', minute);
  await world.turn(60_000);
  await world.endRun(runs()[0]);
  await world.turn(0);
  await world.turn(5_000);
  expect(world.markOf('runs')).toBe(await world.log.end('runs', 0));
  await world.open();
  await world.turn(60_000);
  expect(ticks()).toHaveLength(2);
});

test('schedules that ended while the scheduler was down are erased, and new ones are written', async () => {
  await world.define('dc_1', minute);
  await world.turn(0);
  await world.undefine('dc_1');
  await world.define('dc_2', minute);
  await world.open();
  await world.turn(0);
  expect(world.scheduledSources()).toEqual(['dc_2']);
});

test('a source without a timer, or one that is still being deployed, has no schedule', async () => {
  await world.define('dc_1', null);
  await world.define('dc_2', minute, { status: 'deploying' });
  await world.turn(86_400_000);
  expect([ticks(), schedules()]).toEqual([[], []]);
});

test('a clock set back an hour delays no timer, neither while the scheduler runs nor after a restart', async () => {
  await world.define('dc_1', minute);
  await world.define('dc_2', minute);
  await world.turn(0);
  world.setClock(-3_600_000);
  await world.turn(30_000);
  expect(ticks()).toEqual([]);
  await world.turn(60_000);
  expect(ticks()).toHaveLength(2);
  for (const trigger of world.triggers()) await world.endRun(runIdOf(trigger), trigger.key);
  await world.turn(0);
  world.setClock(-3_600_000);
  await world.open();
  await world.turn(60_000);
  expect(ticks()).toHaveLength(4);
});

test('a clock set forward causes only one tick', async () => {
  await world.define('dc_1', minute);
  await world.turn(0);
  world.setClock(86_400_000);
  await world.turn(0);
  await world.endRun(runs()[0]);
  await world.turn(0);
  expect(ticks()).toHaveLength(1);
});

test('a run record that cannot be read does not keep a timer waiting forever', async () => {
  await world.define('dc_1', minute);
  await world.turn(60_000);
  await world.endUnreadableRun('dc_1');
  await world.turn(60_000);
  expect(ticks()).toHaveLength(2);
});

test('the mark passes a run only once everything it changed is on the log, from the first append on', async () => {
  for (let i = 0; i < 600; i++) await world.define(`dc_${i}`, { intervalSeconds: 1 });
  await world.turn(1_000);
  const endedRuns = world.triggers().map((trigger) => [runIdOf(trigger), trigger.key] as const);
  for (const [run, source] of endedRuns) await world.endRun(run, source);
  world.stopAfterAppends(1);
  await world.turn(0);
  await world.open();
  await world.turn(1_000);
  expect(ticks()).toHaveLength(1_200);
});

test('the mark also passes runs of sources without timers, so that they can be trimmed', async () => {
  await world.turn(0);
  expect(world.markOf('runs')).toBe(0);
  await world.endRun('run_1', 'dc_9');
  await world.turn(0);
  expect(world.markOf('runs')).toBe(0);
  await world.turn(5_000);
  expect(world.markOf('runs')).toBe(await world.log.end('runs', 0));
});

test('the trigger of a tick has everything that the runtime needs', async () => {
  await world.define('dc_1', { cron: '*/5 * * * * *', timezone: 'Europe/Berlin' });
  await world.turn(60_000);
  const trigger = world.triggers()[0] as Trigger;
  expect(trigger).toMatchObject({ key: 'dc_1', workspace: 'o_1', type: 'TriggerRequested' });
  expect(trigger.data.event).toMatchObject({
    cron: '*/5 * * * * *',
    timezone_configured: { timezone: 'Europe/Berlin' },
  });
});

test('a source that was deployed by a clock too far ahead ticks within one interval, also after a restart', async () => {
  for (const hasRead of [true, false]) {
    world = await SchedulerWorld.start();
    world.setClock(86_400_000);
    await world.define('dc_1', minute);
    world.setClock(-86_400_000);
    if (hasRead) await world.turn(0);
    else await world.open();
    await world.turn(60_000);
    expect(ticks()).toEqual([['dc_1', world.beganSeconds + 60]]);
  }
});
