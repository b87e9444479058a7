import fc from 'fast-check';
import { jest } from '@jest/globals';
import { pino } from 'pino';
import { PortError } from '../../domain/port-error.ts';
import { MemoryLog } from '../../log/log.fake.ts';
import type { AppendFault } from '../../log/contract/harness.ts';
import { until } from '../../../test/support/until.ts';
import { Metrics } from '../../primitives/metrics/metrics.ts';
import { command, EchoStage } from './echo.fake.ts';
import { StandstillError } from './reading/unusable.ts';
import { stalledAfterMs } from './reporting/stalled.ts';
import { StageLoop } from './stage-loop.ts';

const silent = pino({ level: 'silent' });

const send = (log: MemoryLog, id: string, name = id): Promise<unknown> =>
  log.request({ topic: 'commands', partition: 0, record: command(id, name) });

const outcomes = (log: MemoryLog): string[] => log.records('workspaces').map((record) => record.causationId);

async function started(
  log: MemoryLog,
  stage = new EchoStage(),
): Promise<{ stage: EchoStage; loop: StageLoop; fatal: unknown[] }> {
  const loop = new StageLoop(stage, log, silent);
  const fatal: unknown[] = [];
  loop.start((error) => fatal.push(error));
  await until('the task to open', () => stage.openCount > 0);
  return { stage, loop, fatal };
}

test('the output of a batch is appended together with the position that the stage has reached', async () => {
  const log = new MemoryLog({ partitions: 2 });
  const { loop } = await started(log);
  await send(log, 'cmd_a');
  await send(log, 'cmd_b');
  await until('both outcomes', () => outcomes(log).length === 2);
  await loop.stop(100);
  const mark = log.records('marks.lifecycle').at(-1)?.data;
  expect(mark).toMatchObject({ positions: { 'commands/0': await log.end('commands', 0) } });
});

test('a restarted stage continues where it stopped', async () => {
  const log = new MemoryLog({ partitions: 1 });
  const first = await started(log);
  await send(log, 'cmd_a');
  await until('its outcome', () => outcomes(log).length === 1);
  await first.loop.stop(100);
  await send(log, 'cmd_b');
  const second = await started(log);
  await until('the other outcome', () => outcomes(log).length === 2);
  await second.loop.stop(100);
  expect(outcomes(log)).toEqual(['cmd_a', 'cmd_b']);
});

test('a stage that rests reads all records that arrived during its rest in one page', async () => {
  const log = new MemoryLog({ partitions: 1 });
  const { stage, loop } = await started(log, new EchoStage('lifecycle', 1_000));
  await send(log, 'cmd_first');
  await until('its outcome', () => outcomes(log).length === 1);
  const ids = Array.from({ length: 20 }, (_, i) => `cmd_${i}`);
  for (const id of ids) {
    await send(log, id);
    await new Promise(setImmediate);
  }
  await until('the other outcomes', () => outcomes(log).length === 21);
  expect([stage.pageCount, outcomes(log)]).toEqual([2, ['cmd_first', ...ids]]);
  await loop.stop(100);
});

test('a stage that rests stops without waiting for the end of its rest', async () => {
  const log = new MemoryLog({ partitions: 1 });
  const anHourMs = 3_600_000;
  const { loop, fatal } = await started(log, new EchoStage('lifecycle', anHourMs));
  await send(log, 'cmd_first');
  await until('its outcome', () => outcomes(log).length === 1);
  await loop.stop(100);
  expect(fatal).toEqual([]);
});

test('a stage that rests reads a backlog without a rest', async () => {
  const log = new MemoryLog({ partitions: 1 });
  const count = 3 * 512;
  for (let i = 0; i < count; i++) await send(log, `cmd_${i}`);
  const { stage, loop } = await started(log, new EchoStage('lifecycle', 3_600_000));
  await until('every outcome', () => outcomes(log).length === count);
  expect(stage.pageCount).toBe(3);
  await loop.stop(100);
});

test('a stage that rests reads large records without a rest, even if a page holds only a few or one', async () => {
  const log = new MemoryLog({ partitions: 1 });
  const sizes = [...Array.from({ length: 30 }, () => 100_000), 1_500_000, 1_500_000, 1];
  for (const [i, bytes] of sizes.entries()) {
    await send(log, `cmd_${i}`, 'n'.repeat(bytes));
  }
  const { stage, loop } = await started(log, new EchoStage('lifecycle', 3_600_000));
  await until('every outcome', () => outcomes(log).length === sizes.length);
  expect(stage.pageCount).toBe(6);
  await loop.stop(100);
});

test('a stage with an error that only people can repair stands still, says why, and stops at once when told to', async () => {
  const log = new MemoryLog({ partitions: 1 });
  const stage = new EchoStage();
  stage.onOpen = () => {
    throw new StandstillError('bring it back');
  };
  const { loop, fatal } = await started(log, stage);
  await until('it to stand still', () => !loop.healthy);
  expect([loop.trouble, fatal]).toEqual(['bring it back', []]);
  await loop.stop(100);
  expect(stage.openCount).toBe(1);
});

test('a stage that cannot work is unhealthy although its loop turns', async () => {
  const log = new MemoryLog({ partitions: 1 });
  const stage = new EchoStage();
  const { loop } = await started(log, stage);
  expect(loop.trouble).toBeUndefined();
  Object.defineProperty(stage, 'trouble', { value: 'no process starts' });
  expect([loop.healthy, loop.trouble]).toEqual([false, 'no process starts']);
  await loop.stop(100);
});

test('the loop reports how far each partition has read and when it last turned, and counts the records read', async () => {
  const log = new MemoryLog({ partitions: 2 });
  const metrics = new Metrics();
  const loop = new StageLoop(new EchoStage(), log, silent, { metrics });
  expect(loop.inputs).toEqual([]);
  loop.start(() => {});
  await until('it to read', () => loop.inputs.length === 1);
  expect(loop.inputs).toEqual([{ topic: 'commands', partition: 0, offset: 0, owned: 0 }]);
  await send(log, 'cmd_a');
  await send(log, 'cmd_b');
  await until('the outcomes', () => outcomes(log).length === 2);
  const offset = await log.end('commands', 0);
  expect(loop.inputs).toEqual([{ topic: 'commands', partition: 0, offset, owned: 0 }]);
  expect(loop.idleMs).toBeLessThan(stalledAfterMs);
  expect(await metrics.text()).toContain('wellspring_stage_records_total{stage="lifecycle",topic="commands"} 2\n');
  await loop.stop(100);
  expect([loop.inputs, loop.idleMs]).toEqual([[], 0]);
});

test('every command has its outcome exactly once and in order, whatever appends fail', async () => {
  const fault = fc.constantFrom<AppendFault>('unknown_outcome_committed', 'unknown_outcome_lost', 'unavailable');
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { maxLength: 3 }), fc.integer({ min: 1, max: 6 }), async (faults, count) => {
      const log = new MemoryLog({ partitions: 1 });
      const ids = Array.from({ length: count }, (_, i) => `cmd_${i}`);
      for (const id of ids) await send(log, id);
      for (const each of faults) log.failNextAppend(each);
      const { loop, fatal } = await started(log);
      await until('all outcomes', () => outcomes(log).length >= count);
      await loop.stop(100);
      expect(outcomes(log)).toEqual(ids);
      expect(fatal).toEqual([]);
    }),
    { numRuns: 20 },
  );
}, 30_000);

test('a newer owner ends the older one for good', async () => {
  const log = new MemoryLog({ partitions: 1 });
  const older = await started(log);
  const newer = await started(log);
  await send(log, 'cmd_a');
  await until('the older one to give up', () => older.fatal.length === 1);
  await until('the outcome', () => outcomes(log).length === 1);
  await newer.loop.stop(100);
  expect(older.fatal[0]).toMatchObject({ code: 'fenced' });
  expect(outcomes(log)).toEqual(['cmd_a']);
});

test('a broken invariant is not recovered from', async () => {
  const log = new MemoryLog({ partitions: 1 });
  const { stage, fatal } = await started(log);
  stage.onCommand = () => {
    throw new Error('impossible');
  };
  await send(log, 'cmd_a');
  await until('the end', () => fatal.length === 1);
  expect(fatal[0]).toMatchObject({ message: 'impossible' });
});

test('output that drains at a stop is still appended', async () => {
  const log = new MemoryLog({ partitions: 1 });
  const { stage, loop } = await started(log);
  stage.holdBack = true;
  const onCommand = jest.fn<(id: string) => void>();
  stage.onCommand = onCommand;
  await send(log, 'cmd_a');
  await until('the command to be handled', () => onCommand.mock.calls.length === 1);
  expect(outcomes(log)).toEqual([]);
  await loop.stop(100);
  expect(outcomes(log)).toEqual(['cmd_a']);
});

test('a loop that stands still for 30 s is unhealthy, and healthy again once it moves', async () => {
  const log = new MemoryLog({ partitions: 1 });
  const { stage, loop } = await started(log);
  const now = performance.now.bind(performance);
  let aheadMs = stalledAfterMs;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
  await until('a quiet loop to turn', () => loop.healthy);

  const gate = Promise.withResolvers<void>();
  stage.onCommand = jest.fn(() => gate.promise);
  await send(log, 'cmd_a');
  await until('the command to be handled', () => jest.mocked(stage.onCommand).mock.calls.length === 1);
  aheadMs += stalledAfterMs;
  expect(loop.healthy).toBe(false);

  gate.resolve();
  await until('the loop to move', () => loop.healthy);
  clock.mockRestore();
  await loop.stop(100);
});

test('a loop that stands still says which failure it recovers from, and forgets it once it turns', async () => {
  const log = new MemoryLog({ partitions: 1 });
  let isFull = true;
  const own = log.own.bind(log);
  jest.spyOn(log, 'own').mockImplementation(async (...of) => {
    if (isFull) throw new PortError('unavailable', 'the log /data/log.sqlite cannot be used now: the disk is full');
    return own(...of);
  });
  const loop = new StageLoop(new EchoStage(), log, silent);
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 2 * stalledAfterMs);
  loop.start(() => undefined);
  clock.mockImplementation(() => now() + 4 * stalledAfterMs);
  await until(
    'it to be told',
    () => loop.trouble?.endsWith('s: the log cannot be used now: the disk is full') === true,
  );
  isFull = false;
  await until('the loop to turn', () => loop.healthy);
  clock.mockImplementation(() => now() + 8 * stalledAfterMs);
  expect(loop.trouble ?? '').not.toContain('full');
  clock.mockRestore();
  await loop.stop(100);
});

test('a loop that is told to stop while it takes over its partition stops without opening a task', async () => {
  const log = new MemoryLog({ partitions: 1 });
  const takenOver = Promise.withResolvers<void>();
  const own = log.own.bind(log);
  jest.spyOn(log, 'own').mockImplementation(async (...of) => {
    await takenOver.promise;
    return own(...of);
  });
  const stage = new EchoStage();
  const loop = new StageLoop(stage, log, silent);
  const fatal: unknown[] = [];
  loop.start((error) => fatal.push(error));
  const stopped = loop.stop(100);
  takenOver.resolve();
  await stopped;
  expect(stage.openCount).toBe(0);
  expect(fatal).toEqual([]);
});

test('a failed task gets no more records, not even those that were already read', async () => {
  const log = new MemoryLog({ partitions: 1 });
  const { stage, loop } = await started(log);
  const failing = Promise.withResolvers<void>();
  const seen: [string, number][] = [];
  stage.onStop = () => failing.promise;
  stage.onCommand = (id) => {
    if (seen.push([id, stage.openCount]) === 1) log.failNextAppend('unavailable');
  };
  await send(log, 'cmd_a');
  await until('the task to be stopped', () => stage.stopCount === 1);
  await send(log, 'cmd_b');
  await new Promise(setImmediate);
  failing.resolve();
  await until('both outcomes', () => outcomes(log).length === 2);
  await loop.stop(100);
  expect(seen).toEqual([
    ['cmd_a', 1],
    ['cmd_a', 2],
    ['cmd_b', 2],
  ]);
});
