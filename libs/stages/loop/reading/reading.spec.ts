import { pino } from 'pino';
import { until } from '../../../../test/support/until.ts';
import type { TopicName } from '../../../domain/flow.ts';
import type { LogRecord } from '../../../domain/message.ts';
import { knownVersion } from '../../../domain/record/check-record.ts';
import { recordOf, sampleRecords, samples } from '../../../domain/record/samples.fake.ts';
import { nestedArrays, unusableRecords } from '../../../domain/record/unusable-records.fake.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import { command, EchoStage } from '../echo.fake.ts';
import { noAlerts } from '../alerts/alerts.ts';
import { StageLoop } from '../stage-loop.ts';
import { checkPage } from './check-page.ts';
import { CheckedLog } from './checked-log.ts';
import { NewerRecordError } from './unusable.ts';
import type { MalformedRecord } from './unusable.ts';

const silent = pino({ level: 'silent' });
const wide = { recordsMax: 1_000, bytesMax: 1e9 };
const bad = (id: string, change: Partial<LogRecord> = {}): LogRecord => ({ ...command(id), data: 5, ...change });
const newer = (id: string): LogRecord => bad(id, { version: knownVersion + 1 });
const requested = ['commands', 'triggers'] as const;

const running: StageLoop[] = [];
afterEach(async () => {
  for (const loop of running.splice(0)) await loop.stop(0);
});

async function loopOn(log: MemoryLog, stage = new EchoStage()) {
  const raised: string[] = [];
  const alerts = { ...noAlerts, raise: (code: string, subject: string) => raised.push(`${code} ${subject}`) };
  const loop = new StageLoop(stage, log, silent, { alerts });
  const fatal: unknown[] = [];
  loop.start((error) => fatal.push(error));
  running.push(loop);
  await until('the task to open', () => stage.openCount > 0);
  return { loop, stage, raised, fatal };
}

async function logWith(...records: readonly LogRecord[]): Promise<MemoryLog> {
  const log = new MemoryLog({ partitions: 1 });
  for (const record of records) await log.request({ topic: 'commands', partition: 0, record });
  return log;
}

function reading(log: MemoryLog) {
  const passed: MalformedRecord[] = [];
  const held: NewerRecordError[] = [];
  const checked = new CheckedLog(log, {
    reportMalformed: (one) => passed.push(one),
    reportNewer: (one) => held.push(one),
  });
  return { checked, passed, held };
}

const outcomes = (log: MemoryLog): string[] => log.records('workspaces').map(({ causationId }) => causationId);

test('a stage continues after malformed records, its mark passes them, and an alert is raised', async () => {
  const log = await logWith(bad('cmd_a'), command('cmd_b'), bad('cmd_c'), bad('cmd_d'), command('cmd_e'), bad('cmd_f'));
  const { loop, stage, raised, fatal } = await loopOn(log);
  await until('both outcomes', () => outcomes(log).length === 2);
  expect([outcomes(log), stage.malformedCount, fatal]).toEqual([['cmd_b', 'cmd_e'], 4, []]);
  expect(new Set(raised)).toEqual(new Set(['malformed_record commands']));
  expect(loop.healthy).toBe(true);
  await loop.stop(100);
  const end = await log.end('commands', 0);
  expect(log.records('marks.lifecycle').at(-1)?.data).toMatchObject({ positions: { 'commands/0': end } });
});

test('a partition waits at a newer record, is unhealthy with a reason, skips nothing, and finishes everything before it', async () => {
  const log = await logWith(command('cmd_a'), bad('cmd_b'), newer('cmd_c'), command('cmd_d'));
  const { loop, stage, raised, fatal } = await loopOn(log);
  await until('red health', () => !loop.healthy);
  const why = `commands holds records of version ${knownVersion + 1}; this program knows version ${knownVersion}: start the newer program`;
  expect(loop.trouble).toBe(why);
  await until('what came before', () => outcomes(log).length === 1);
  const offsetOf = (id: string) => log.records('commands').find((one) => one.id === id)?.offset;
  await loop.stop(100);
  expect([outcomes(log), stage.malformedCount, stage.openCount, fatal]).toEqual([['cmd_a'], 1, 1, []]);
  expect(raised).toContain('newer_record commands');
  const mark = log.records('marks.lifecycle').at(-1)?.data as { positions: Record<string, number> } | undefined;
  expect(mark?.positions['commands/0']).toBeLessThanOrEqual(offsetOf('cmd_c') ?? -1);
});

test('a stage that meets a newer record while it opens waits, is unhealthy, and does not end the process', async () => {
  const log = await logWith(newer('cmd_a'));
  const stage = new EchoStage();
  const open = stage.open.bind(stage);
  stage.open = async (context) => {
    await context.log.read('commands', 0, 0, wide);
    return open(context);
  };
  const fatal: unknown[] = [];
  const loop = new StageLoop(stage, log, silent);
  loop.start((error) => fatal.push(error));
  running.push(loop);
  await until(
    'red health',
    () => loop.trouble?.startsWith(`commands holds records of version ${knownVersion + 1}`) === true,
  );
  expect(fatal).toEqual([]);
});

test('reads on after a page without usable records, so that an empty page means the end', async () => {
  const log = await logWith(bad('a'), bad('b'), command('c'), bad('d'));
  const { checked, passed } = reading(log);
  const page = await checked.read('commands', 0, 0, { recordsMax: 1, bytesMax: 1 });
  expect(page.records.map(({ id }) => id)).toEqual(['c']);
  expect(page.malformed.map(({ record }) => record.id)).toEqual(['a', 'b']);
  const rest = await checked.read('commands', 0, page.next, wide);
  expect([rest.records, rest.next]).toEqual([[], await log.end('commands', 0)]);
  expect(passed).toHaveLength(3);
});

test('a read returns the records before a newer one, and a read at the newer one throws', async () => {
  const { checked, held } = reading(await logWith(command('a'), newer('b'), command('c')));
  const page = await checked.read('commands', 0, 0, wide);
  expect(page.records.map(({ id }) => id)).toEqual(['a']);
  await expect(checked.read('commands', 0, page.next, wide)).rejects.toThrow(NewerRecordError);
  expect(held).toHaveLength(1);
});

test('a tail waits in the partition of a newer record and continues in the others', async () => {
  const log = new MemoryLog({ partitions: 2 });
  const trigger = (id: string, version = 1) =>
    recordOf('TriggerRequested', samples.triggers.TriggerRequested, { id, version });
  const send = (partition: number, record: LogRecord) => log.request({ topic: 'triggers', partition, record });
  for (const record of [trigger('a'), trigger('b', knownVersion + 1), trigger('c')]) await send(0, record);
  await send(1, trigger('d'));
  const { checked } = reading(log);
  const from = [0, 1].map((partition) => ({ topic: 'triggers' as const, partition, offset: 0 }));
  const tail = checked.tail(from, wide);
  const seen: string[] = [];
  const read = async () => {
    for (const page of await tail.next(10)) seen.push(...page.records.map(({ id }) => id));
  };
  await read();
  await send(1, trigger('e'));
  tail.resume('triggers', 0);
  await read();
  await read();
  expect(seen.toSorted()).toEqual(['a', 'd', 'e']);
  expect([tail.isHeld('triggers', 0), tail.isHeld('triggers', 1)]).toEqual([true, false]);
  await tail.close();
});

test('an error thrown for one record raises an alert and does not stop the stage', async () => {
  const stage = new EchoStage();
  const log = await logWith(command('cmd_a'), command('cmd_b'));
  const open = stage.open.bind(stage);
  stage.open = async (context) => {
    const task = await open(context);
    const handle = task.handle.bind(task);
    task.handle = async (records, next) => {
      const good = records.filter((record) =>
        context.tolerate(record, () => {
          if (record.id === 'cmd_a') throw new TypeError('quotes a secret');
          return true;
        }),
      );
      await handle(good as typeof records, next);
    };
    return task;
  };
  const { raised, fatal } = await loopOn(log, stage);
  await until('the outcome', () => outcomes(log).length === 1);
  expect([outcomes(log), raised, fatal]).toEqual([['cmd_b'], ['malformed_record commands'], []]);
});

const everySpoiled = sampleRecords.flatMap(([topic, { type, data }]) =>
  unusableRecords(topic, type, data as object).map(([how, record]): [string, TopicName, LogRecord] => [
    `${type} ${how} on ${topic}`,
    topic,
    record,
  ]),
);

test('skips every kind of malformed record of every type on the topics of requests', async () => {
  for (const topic of requested) {
    const log = new MemoryLog({ partitions: 1 });
    const own = everySpoiled.filter(([, name]) => name === topic);
    for (const [, , record] of own) await log.request({ topic, partition: 0, record });
    const { checked, passed } = reading(log);
    const { records } = await checked.read(topic, 0, 0, wide);
    expect([records, passed.length]).toEqual([[], own.length]);
  }
});

test('skips a record that is nested too deeply for any stack', () => {
  const data = { ...samples.channels.EventEmitted, event: nestedArrays(20_000) };
  const record = { ...recordOf('EventEmitted', data), topic: 'channels', partition: 0, offset: 0 };
  const { page } = checkPage({ topic: 'channels', partition: 0, records: [record], next: 1 });
  expect([page.records, page.malformed[0]?.problem]).toEqual([[], 'EventEmitted has no valid event']);
});
