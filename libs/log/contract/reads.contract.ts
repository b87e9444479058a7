// Contract: range reads return committed records in bounded pages, with the offset at which the next page starts.
import type { StoredRecord } from '../../domain/message.ts';
import type { Log } from '../log.ts';
import { codeOf, ids, idsOf, outgoing, readRecords, wide, type OpenLog, withLog, requestAll } from './harness.ts';

export function describeReads(open: OpenLog): void {
  describe('reads', () => {
    let log: Log;
    withLog(open, (opened) => {
      log = opened.log;
    });

    /** Appends one by one, alternating with another partition, to leave gaps; resolves when all can be read. */
    async function filled(
      count: number,
    ): Promise<{ from: number; records: readonly string[]; stored: readonly StoredRecord[] }> {
      const from = await log.end('triggers', 1);
      const records = Array.from({ length: count }, () => outgoing('triggers', 1));
      for (const record of records) await requestAll(log, [record, outgoing('triggers', 2)]);
      const stored = await readRecords(log, { topic: 'triggers', partition: 1, from }, count);
      return { from, records: idsOf(records), stored };
    }

    test('an empty partition gives an empty page', async () => {
      const end = await log.end('triggers', 0);
      expect(await log.read('triggers', 0, end, wide)).toEqual({
        topic: 'triggers',
        partition: 0,
        records: [],
        next: end,
      });
    });

    test('once one partition shows an append, the settled end of the others is above it', async () => {
      const writer = await log.own('runtime', 3);
      for (let n = 0; n < 20; n++) {
        const from = await log.end('channels', 3);
        const [offset = 0] = await writer.append([outgoing('state', 3), outgoing('channels', 3)], {});
        await readRecords(log, { topic: 'channels', partition: 3, from }, 1);
        const end = await log.settledEnd('state', 3);
        expect(end).toBeGreaterThan(offset);
        expect(await log.end('state', 3)).toBeGreaterThanOrEqual(end);
      }
      await writer.release();
    });

    test('pages of few records give all of them, once and in order', async () => {
      const { from, records } = await filled(7);
      const end = await log.end('triggers', 1);
      const seen: string[] = [];
      for (let next = from; next < end;) {
        const page = await log.read('triggers', 1, next, { recordsMax: 2, bytesMax: wide.bytesMax });
        expect(page.records.length).toBeLessThanOrEqual(2);
        expect(page.next).toBeGreaterThan(next);
        expect(page.next).toBeGreaterThan(page.records.at(-1)?.offset ?? -1);
        seen.push(...ids(page.records));
        next = page.next;
      }
      expect(seen).toEqual(records);
    });

    test('a page stays within its bytes, but holds one record whatever its size', async () => {
      const from = await log.end('triggers', 1);
      const records = Array.from({ length: 6 }, () => outgoing('triggers', 1, { data: 'x'.repeat(1000) }));
      await requestAll(log, records);
      await readRecords(log, { topic: 'triggers', partition: 1, from }, 6);
      const some = await log.read('triggers', 1, from, { recordsMax: 100, bytesMax: 3000 });
      const bytes = some.records.map((record) => Buffer.byteLength(JSON.stringify(record.data)));
      expect(bytes.length).toBeGreaterThanOrEqual(1);
      expect(bytes.reduce((sum, n) => sum + n)).toBeLessThanOrEqual(3000);
      const one = await log.read('triggers', 1, from, { recordsMax: 100, bytesMax: 1 });
      expect(ids(one.records)).toEqual([records[0]?.record.id]);
      expect((await log.read('triggers', 1, one.next, { recordsMax: 1, bytesMax: 1 })).records[0]?.id).toBe(
        records[1]?.record.id,
      );
    });

    test('`to` is exclusive', async () => {
      const { from, records, stored } = await filled(3);
      const to = stored[2]?.offset ?? 0;
      const page = await log.read('triggers', 1, from, { ...wide, to });
      expect(ids(page.records)).toEqual(records.slice(0, 2));
      expect(page.next).toBeLessThanOrEqual(to);
      expect((await log.read('triggers', 1, to, { ...wide, to })).records).toEqual([]);
    });

    test('reading from the middle starts at that offset', async () => {
      const { records, stored } = await filled(3);
      const page = await log.read('triggers', 1, stored[1]?.offset ?? 0, wide);
      expect(ids(page.records)).toEqual(records.slice(1));
    });

    test('reading past the end gives an empty page and does not move', async () => {
      const end = await log.end('triggers', 1);
      expect(await log.read('triggers', 1, end + 1000, wide)).toMatchObject({ records: [], next: end + 1000 });
    });

    test('after reading to the end, `next` is not below the end', async () => {
      const { from } = await filled(2);
      const page = await log.read('triggers', 1, from, wide);
      expect(page.next).toBeGreaterThanOrEqual(await log.end('triggers', 1));
    });

    test('the end is above every record, and moves only in partitions with appends', async () => {
      const [before, other] = [await log.end('triggers', 1), await log.end('triggers', 3)];
      const { stored } = await filled(1);
      expect(await log.end('triggers', 1)).toBeGreaterThan(stored[0]?.offset ?? Infinity);
      expect(stored[0]?.offset).toBeGreaterThanOrEqual(before);
      expect(await log.end('triggers', 3)).toBe(other);
    });

    test('two readers get the same records', async () => {
      const { from } = await filled(2);
      const [one, two] = await Promise.all([log.read('triggers', 1, from, wide), log.read('triggers', 1, from, wide)]);
      expect(one).toEqual(two);
    });

    test('an unknown partition or topic is refused', async () => {
      await expect(log.read('triggers', 99, 0, wide)).rejects.toThrow(/99/);
      await expect(log.read('nothing' as 'triggers', 0, 0, wide)).rejects.toThrow(/nothing/);
      await expect(log.end('triggers', 99)).rejects.toThrow(/99/);
    });
  });

  test('reading a log that was closed is refused', async () => {
    const { log, dispose } = await open();
    await log.close();
    expect(await codeOf(log.read('triggers', 1, 0, wide))).toBe('closed');
    await dispose?.();
  });
}
