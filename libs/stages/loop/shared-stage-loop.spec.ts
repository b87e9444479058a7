// Several processes share a stage: two loops on one log, between which the test moves partitions.
import { pino } from 'pino';
import { until } from '../../../test/support/until.ts';
import { PortError } from '../../domain/port-error.ts';
import { MemoryLog } from '../../log/log.fake.ts';
import { SharedOwnership } from '../../log/ownership.fake.ts';
import { EchoStage, trigger } from './echo.fake.ts';
import { StageLoop } from './stage-loop.ts';

const silent = pino({ level: 'silent' });
const partitions = 3;

interface Process {
  readonly stage: EchoStage;
  readonly loop: StageLoop;
  readonly fatal: unknown[];
  readonly ownership: SharedOwnership;
  assign(...owned: number[]): Promise<void>;
}

const running: StageLoop[] = [];
afterEach(async () => {
  for (const loop of running.splice(0)) await loop.stop(0);
});

function start(log: MemoryLog): Process {
  const stage = new EchoStage('runtime');
  const ownership = new SharedOwnership();
  const loop = new StageLoop(stage, log, silent, { ownership });
  const fatal: unknown[] = [];
  loop.start((error) => fatal.push(error));
  running.push(loop);
  return { stage, loop, fatal, ownership, assign: (...owned) => ownership.assign('runtime', owned) };
}

const send = (log: MemoryLog, partition: number, id: string): Promise<unknown> =>
  log.request({ topic: 'triggers', partition, record: trigger(id) });

const outcomes = (log: MemoryLog): string[] => log.records('runs').map(({ causationId }) => causationId);

const generation = (log: MemoryLog, partition: number): unknown =>
  log
    .records('marks.runtime')
    .filter((record) => record.partition === partition)
    .map(({ data }) => (data as { generation: number }).generation)
    .at(-1);

test('a process works only in the partitions that are assigned to it', async () => {
  const log = new MemoryLog({ partitions });
  const process = start(log);
  for (const partition of [0, 1, 2]) await send(log, partition, `trg_${partition}`);
  await process.assign(0, 2);
  await until('the outcomes of both', () => outcomes(log).length === 2);
  expect(outcomes(log)).toEqual(['trg_0', 'trg_2']);
  await process.assign(0, 1, 2);
  await until('the last outcome', () => outcomes(log).length === 3);
  expect(process.stage.openCount).toBe(3);
});

test('a process without partitions stands by, and is healthy', async () => {
  const log = new MemoryLog({ partitions });
  const process = start(log);
  await process.assign();
  expect(process.loop.healthy).toBe(true);
  await process.loop.stop(100);
  expect(process.ownership.hasLeft).toBe(true);
  expect(process.stage.openCount).toBe(0);
});

test('work in progress is logged before its partition is handed over, and the next owner does not repeat it', async () => {
  const log = new MemoryLog({ partitions });
  const [older, newer] = [start(log), start(log)];
  older.stage.holdBack = true;
  const handledIds: string[] = [];
  older.stage.onCommand = (id) => void handledIds.push(id);
  await older.assign(0, 1);
  await send(log, 0, 'trg_a');
  await until('it to be taken', () => handledIds.length === 1);
  await older.assign(1);
  expect(outcomes(log)).toEqual(['trg_a']);
  await newer.assign(0);
  await send(log, 0, 'trg_b');
  await until('the other outcome', () => outcomes(log).length === 2);
  expect(newer.stage.committedIds).toEqual(['trg_b']);
  expect([...older.fatal, ...newer.fatal]).toEqual([]);
});

test('a hanging owner does not hold up the hand-over, and its later output has no effect', async () => {
  const log = new MemoryLog({ partitions });
  const [stalled, next] = [start(log), start(log)];
  const gate = Promise.withResolvers<void>();
  stalled.stage.onCommand = () => gate.promise;
  await stalled.assign(0);
  await send(log, 0, 'trg_a');
  await until('it to hang', () => stalled.stage.openCount === 1);
  await stalled.assign();
  await next.assign(0);
  await until('the next owner to do it', () => outcomes(log).length === 1);
  gate.resolve();
  await stalled.loop.stop(100);
  expect(outcomes(log)).toEqual(['trg_a']);
  expect(stalled.stage.committedIds).toEqual([]);
  expect([...stalled.fatal, ...stalled.ownership.losses]).toEqual([]);
}, 10_000);

test('an owner that was replaced without noticing stops without effect, joins again, and continues where the other stopped', async () => {
  const log = new MemoryLog({ partitions });
  const [paused, next] = [start(log), start(log)];
  const gate = Promise.withResolvers<void>();
  let reached = 0;
  paused.stage.onCommand = () => {
    reached++;
    return gate.promise;
  };
  await paused.assign(0, 1);
  await send(log, 0, 'trg_a');
  await until('it to stand still', () => reached === 1);
  await next.assign(0, 1);
  await until('the other to do it', () => outcomes(log).length === 1);
  paused.ownership.assignedAfterLoss = [0];
  gate.resolve();
  await until('it to join anew', () => paused.ownership.losses.length > 0 && paused.stage.openCount === 3);
  expect(paused.ownership.losses[0]).toMatchObject({ code: 'fenced' });
  expect(outcomes(log)).toEqual(['trg_a']);
  await next.assign(1);
  await send(log, 0, 'trg_b');
  await until('the other outcome', () => outcomes(log).length === 2);
  expect(paused.stage.committedIds).toEqual(['trg_b']);
  expect([...paused.fatal, ...next.fatal]).toEqual([]);
});

test('a partition that is assigned again is taken over again', async () => {
  const log = new MemoryLog({ partitions });
  const process = start(log);
  for (const expected of [1, 2, 3]) {
    await process.assign(1);
    await until('the partition to be taken over', () => generation(log, 1) === expected);
    await process.assign();
  }
  expect(generation(log, 1)).toBe(3);
});

test('however partitions move, every trigger has its outcome exactly once, in order', async () => {
  const log = new MemoryLog({ partitions });
  const processes = [start(log), start(log), start(log)];
  const ids = Array.from({ length: 90 }, (_, i) => `trg_${i}`);
  for (const [i, id] of ids.entries()) {
    await send(log, i % partitions, id);
    if (i % 9 !== 0) continue;
    const shift = i / 9;
    const assignments = processes.map((each, n) => each.assign(...[0, 1, 2].filter((p) => (p + shift) % 3 === n)));
    if (shift % 2 === 0) await Promise.all(assignments);
  }
  await until('all outcomes', () => outcomes(log).length >= ids.length);
  const ofPartition = (p: number): string[] => ids.filter((_, i) => i % partitions === p);
  expect(outcomes(log)).toEqual([0, 1, 2].flatMap(ofPartition));
  expect(processes.flatMap(({ fatal }) => fatal)).toEqual([]);
});

test('a stage ends with an error when the group refuses its process', async () => {
  const log = new MemoryLog({ partitions });
  const refused = new PortError('closed', 'not in this group');
  const ownership = new SharedOwnership();
  ownership.follow = () => Promise.reject(refused);
  const loop = new StageLoop(new EchoStage('runtime'), log, silent, { ownership });
  const fatal: unknown[] = [];
  loop.start((error) => fatal.push(error));
  await until('the refusal', () => fatal.length === 1);
  expect(fatal).toEqual([refused]);
  await loop.stop(0);
});
