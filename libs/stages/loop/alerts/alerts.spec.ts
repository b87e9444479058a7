import { jest } from '@jest/globals';
import { until } from '../../../../test/support/until.ts';
import { checkRecord } from '../../../domain/record/check-record.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import { AlertSender } from './alerts.ts';

const ambient = { now: () => 7, randomBytes: (count: number) => Buffer.alloc(count, 1) };

function sender() {
  const log = new MemoryLog({ partitions: 1 });
  const lost: string[] = [];
  return {
    log,
    lost,
    alerts: new AlertSender({ log, ambient, onLost: (reason) => lost.push(reason) }).forStage('runtime'),
  };
}

const requestsOn = (log: MemoryLog): unknown[] =>
  log.records('commands').map(({ type, data }) => ({ type, ...(data as object) }));

test('sends an alert that is raised again and again only once, as a valid command', async () => {
  const { log, alerts } = sender();
  for (let i = 0; i < 10_000; i++) alerts.raise('malformed_record', 'runs', 'A sentence.');
  alerts.raise('malformed_record', 'hooks', 'Another.');
  await until('both', () => log.records('commands').length === 2);
  expect(requestsOn(log)).toEqual([
    { type: 'RaiseAlert', code: 'malformed_record', subject: 'runs', message: 'A sentence.' },
    { type: 'RaiseAlert', code: 'malformed_record', subject: 'hooks', message: 'Another.' },
  ]);
  for (const record of log.records('commands')) expect(checkRecord('commands', record)).toBeUndefined();
});

test('an alert that has ended can be raised again at once', async () => {
  const { log, alerts } = sender();
  alerts.raise('newer_record', 'runs', 'm');
  alerts.end('newer_record', 'runs');
  alerts.raise('newer_record', 'runs', 'm');
  await until('all of it', () => log.records('commands').length === 3);
  expect(log.records('commands').map(({ type }) => type)).toEqual(['RaiseAlert', 'EndAlert', 'RaiseAlert']);
});

test('an alert that is held is asked for, and ended by who holds it', async () => {
  const { log, alerts } = sender();
  const held = alerts.hold({ code: 'webhook_gone', subject: 'wh_1', describe: () => 'A sentence.', since: 3 });
  await until('the alert', () => log.records('commands').length === 1);
  held.end();
  await until('its end', () => log.records('commands').length === 2);
  expect(requestsOn(log)).toEqual([
    { type: 'RaiseAlert', code: 'webhook_gone', subject: 'wh_1', message: 'A sentence.', since: 3 },
    { type: 'EndAlert', code: 'webhook_gone', subject: 'wh_1' },
  ]);
});

test('sends 100 of ten thousand alerts raised at once, and reports the others as lost', async () => {
  const { log, lost, alerts } = sender();
  for (let i = 0; i < 10_000; i++) alerts.raise('malformed_record', `s${i}`, 'm');
  await until('those that waited', () => log.records('commands').length === 100);
  expect(lost).toHaveLength(9_900);
});

test('an alert that was dropped may be raised again after 5 s, and is sent when there is room', async () => {
  jest.useFakeTimers();
  const { log, lost, alerts } = sender();
  for (let i = 0; i < 100; i++) alerts.raise('malformed_record', `s${i}`, 'm');
  const raise = (): void => alerts.raise('malformed_record', 'one more', 'm');
  raise();
  raise();
  expect(lost).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(5_000);
  raise();
  await jest.advanceTimersByTimeAsync(0);
  jest.useRealTimers();
  expect(requestsOn(log)).toHaveLength(101);
  expect(requestsOn(log).at(-1)).toMatchObject({ subject: 'one more' });
});

test('an alert that ends while too many wait is ended when there is room', async () => {
  const { log, lost, alerts } = sender();
  for (let i = 0; i < 100; i++) alerts.raise('malformed_record', `s${i}`, 'm');
  for (const subject of ['over', 's7']) alerts.end('malformed_record', subject);
  await until('both ends', () => log.records('commands').length === 102);
  expect(requestsOn(log).slice(100)).toEqual(
    ['over', 's7'].map((subject) => ({ type: 'EndAlert', code: 'malformed_record', subject })),
  );
  expect(lost).toEqual([]);
});

test('of ends that find no room a thousand wait', async () => {
  const { log, lost, alerts } = sender();
  for (let i = 0; i < 1_101; i++) alerts.end('malformed_record', `s${i}`);
  expect(lost).toHaveLength(1);
  await until('all others', () => log.records('commands').length === 1_100);
});

test('reports an alert as lost when the log is closed', async () => {
  const { log, lost, alerts } = sender();
  await log.close();
  alerts.raise('malformed_record', 'runs', 'm');
  await until('the loss', () => lost.length === 1);
  expect(lost).toEqual([expect.stringContaining('closed')]);
});
