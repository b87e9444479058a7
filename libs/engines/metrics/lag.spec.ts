import { recordOf } from '../../domain/record/samples.fake.ts';
import type { StoredRecord } from '../../domain/message.ts';
import { MemoryLog } from '../../log/log.fake.ts';
import type { Log } from '../../log/log.ts';
import { lagOf } from './lag.ts';

const at = (offset: number) => ({ topic: 'commands', partition: 0, offset }) as const;

async function logOf(count: number): Promise<{ readonly log: MemoryLog; readonly offsets: readonly number[] }> {
  const log = new MemoryLog({ partitions: 1 });
  const offsets: number[] = [];
  const data = { webhookId: 'wh_1' };
  for (let n = 1; n <= count; n++) {
    const record = recordOf('DeleteWebhook', data, { id: `cmd_${n}`, at: n * 1_000 }) as never;
    offsets.push(await log.request({ topic: 'commands', partition: 0, record }));
  }
  return { log, offsets };
}

test('unread records are counted exactly when few, with the age of the oldest', async () => {
  const { log, offsets } = await logOf(5);
  expect(await lagOf(log, at(0), 10_000)).toEqual({ records: 5, seconds: 9 });
  expect(await lagOf(log, at((offsets[2] ?? 0) + 1), 10_000)).toEqual({ records: 2, seconds: 6 });
  expect(await lagOf(log, at(await log.end('commands', 0)), 10_000)).toEqual({ records: 0, seconds: 0 });
});

test('a clock that is behind gives an age of zero, not a negative one', async () => {
  const { log } = await logOf(1);
  expect(await lagOf(log, at(0), 0)).toEqual({ records: 1, seconds: 0 });
});

test('a large lag is estimated from one page, also when offsets have gaps', async () => {
  const { log } = await logOf(2_000);
  let pages = 0;
  const gap = 7;
  const spread = (record: StoredRecord): StoredRecord => ({ ...record, offset: record.offset * gap });
  const sparse: Pick<Log, 'end' | 'read'> = {
    end: async (topic, partition) => (await log.end(topic, partition)) * gap,
    read: async (topic, partition, from, bounds) => {
      pages++;
      const page = await log.read(topic, partition, from / gap, { ...bounds, to: (bounds.to ?? Infinity) / gap });
      return { ...page, records: page.records.map(spread), next: page.next * gap };
    },
  };
  const { records } = await lagOf(sparse, at(0), 10_000);
  expect(records).toBeGreaterThanOrEqual(1_990);
  expect(records).toBeLessThanOrEqual(2_010);
  expect(pages).toBe(1);
});

test('when most records were removed, the lag is estimated for those that are left', async () => {
  const records = Array.from({ length: 200 }, (_, n) => ({ offset: 1_000_000 + n, at: Number.NaN }) as StoredRecord);
  const trimmed: Pick<Log, 'end' | 'read'> = {
    end: async () => 1_001_000,
    read: async (topic, partition) => ({ topic, partition, records, next: 1_000_200 }),
  };
  expect(await lagOf(trimmed, at(0), 10_000)).toEqual({ records: 1_000, seconds: 0 });
});

test('when only internal markers of the log remain, the lag is zero', async () => {
  const empty: Pick<Log, 'end' | 'read'> = {
    end: async () => 9,
    read: async (topic, partition) => ({ topic, partition, records: [], next: 9 }),
  };
  expect(await lagOf(empty, at(3), 10_000)).toEqual({ records: 0, seconds: 0 });
});
