import { MemoryLog } from '../../../log/log.fake.ts';
import { newestRecord, forEachRecord } from './for-each-record.ts';

/** More records than one page can hold. */
const count = 2_500;

async function filled(): Promise<MemoryLog> {
  const log = new MemoryLog({ partitions: 1 });
  const owner = await log.own('runtime', 0);
  const records = Array.from({ length: count }, (_, n) => ({
    topic: 'runs' as const,
    partition: 0,
    record: record(n),
  }));
  await owner.append(records, {});
  return log;
}

const record = (n: number) => ({
  id: `rec_${n}`,
  type: 'RunEnded',
  version: 1,
  key: 'dc_1',
  data: n,
  at: 0,
  workspace: 'o_1',
  correlationId: 'req_1',
  causationId: 'req_1',
});

test('replays every record in order, across all pages, and returns where reading continues', async () => {
  const log = await filled();
  const read: unknown[] = [];
  const next = await forEachRecord(log, { topic: 'runs', partition: 0 }, ({ data }) => read.push(data));
  expect(read).toEqual(Array.from({ length: count }, (_, n) => n));
  expect(next).toBe(await log.end('runs', 0));
});

test('replays only the given range, and reads nothing for an empty range', async () => {
  const log = await filled();
  const read: number[] = [];
  const end = await log.end('runs', 0);
  expect(
    await forEachRecord(log, { topic: 'runs', partition: 0, from: end - 3, to: end - 1 }, ({ offset }) =>
      read.push(offset),
    ),
  ).toBe(end - 1);
  expect(read).toEqual([end - 3, end - 2]);
  log.read = () => Promise.reject(new Error('read'));
  expect(await forEachRecord(log, { topic: 'runs', partition: 0, from: 5, to: 5 }, () => {})).toBe(5);
});

test('finds the newest record of a range, and returns undefined for an empty range', async () => {
  const log = await filled();
  const end = await log.end('runs', 0);
  expect(await newestRecord(log, { topic: 'runs', partition: 0 })).toMatchObject({ data: count - 1 });
  expect(await newestRecord(log, { topic: 'runs', partition: 0, to: end - 1 })).toMatchObject({ data: count - 2 });
  expect(await newestRecord(log, { topic: 'runs', partition: 0, from: end })).toBeUndefined();
});
