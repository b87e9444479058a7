// Contract of a durable log: acknowledged records are still there after it is opened again.
import { ids, outgoing, readRecords, requestAll, wide, type OpenDurableLog } from './harness.ts';

export function describeKeeping(open: OpenDurableLog): void {
  describe('keeping', () => {
    test('records, ends and marks are there after the log is opened again', async () => {
      const { log, reopen, dispose } = await open();
      const kept = [];
      for (let p = 0; p < log.partitions; p++) {
        const from = await log.end('channels', p);
        const writer = await log.own('runtime', p);
        const record = outgoing('channels', p);
        await writer.append([record, outgoing('state', p)], { [`triggers/${p}`]: p + 1 });
        kept.push({ p, from, id: record.record.id, mark: writer.mark, end: await log.end('channels', p) });
      }
      const reopened = await reopen();
      expect(reopened.partitions).toBe(kept.length);
      for (const { p, from, id, mark, end } of kept) {
        expect(await reopened.end('channels', p)).toBe(end);
        expect(ids(await readRecords(reopened, { topic: 'channels', partition: p, from }, 1))).toEqual([id]);
        const next = await reopened.own('runtime', p);
        expect(next.mark.positions).toEqual(mark.positions);
        expect(next.mark.generation).toBeGreaterThan(mark.generation);
      }
      await reopened.close();
      await dispose?.();
    });

    test('trimmed records stay away, and the end does not move', async () => {
      const { log, reopen, dispose } = await open();
      const [, second = NaN] = await requestAll(log, [outgoing('triggers', 1), outgoing('triggers', 1)]);
      const later = outgoing('triggers', 2);
      await requestAll(log, [later]);
      const [end, other] = [await log.end('triggers', 1), await log.end('triggers', 2)];
      await log.trim('triggers', 1, second + 1);
      await log.trim('triggers', 2, 0);
      const reopened = await reopen();
      expect(await reopened.end('triggers', 1)).toBe(end);
      expect((await reopened.read('triggers', 1, 0, wide)).records).toEqual([]);
      expect(await reopened.end('triggers', 2)).toBe(other);
      expect(ids((await reopened.read('triggers', 2, 0, wide)).records)).toEqual([later.record.id]);
      await reopened.close();
      await dispose?.();
    });

    test('offsets continue above the old ones, in compacted topics too', async () => {
      const { log, reopen, dispose } = await open();
      const writer = await log.own('runtime', 1);
      const save = { key: 'dc_1', data: 1 };
      const before = await writer.append([outgoing('channels', 1), outgoing('state', 1, save)], {});
      const reopened = await reopen();
      const next = await reopened.own('runtime', 1);
      const after = await next.append([outgoing('channels', 1), outgoing('state', 1, save)], {});
      for (const [i, offset] of before.entries()) expect(after[i]).toBeGreaterThan(offset);
      await reopened.close();
      await dispose?.();
    });
  });
}
