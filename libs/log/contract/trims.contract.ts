// Contract: trimmed records can no longer be read, and nothing else changes.
import type { Log } from '../log.ts';
import {
  codeOf,
  deadlineMs,
  ids,
  idsOf,
  outgoing,
  readRecords,
  requestAll,
  wide,
  type OpenLog,
  withLog,
} from './harness.ts';

export function describeTrims(open: OpenLog): void {
  describe('trims', () => {
    let log: Log;
    withLog(open, (opened) => {
      log = opened.log;
    });

    /** Appends records to one partition, alternating with another. */
    async function filled(count: number): Promise<{ ids: readonly string[]; offsets: readonly number[] }> {
      const records = Array.from({ length: count }, () => outgoing('triggers', 1));
      const offsets: number[] = [];
      for (const record of records) {
        const [offset = NaN] = await requestAll(log, [record, outgoing('triggers', 2)]);
        offsets.push(offset);
      }
      await readRecords(log, { topic: 'triggers', partition: 1, from: offsets[0] ?? 0 }, count);
      return { ids: idsOf(records), offsets };
    }

    test('reads from a trimmed offset begin at the first remaining record', async () => {
      const { ids: appended, offsets } = await filled(6);
      const end = await log.end('triggers', 1);
      await log.trim('triggers', 1, offsets[3] ?? NaN);
      for (const from of [0, offsets[0] ?? NaN, offsets[3] ?? NaN]) {
        const page = await log.read('triggers', 1, from, wide);
        expect(ids(page.records)).toEqual(appended.slice(3));
        expect(page.next).toBeGreaterThanOrEqual(end);
      }
      expect(await log.end('triggers', 1)).toBe(end);
    });

    test('reading one record from a trimmed offset gives the first remaining one', async () => {
      const { ids: appended, offsets } = await filled(4);
      await log.trim('triggers', 1, offsets[2] ?? NaN);
      const page = await log.read('triggers', 1, offsets[0] ?? NaN, { recordsMax: 1, bytesMax: 1 });
      expect(ids(page.records)).toEqual([appended[2]]);
    });

    test('a trim below an earlier one changes nothing', async () => {
      const { ids: appended, offsets } = await filled(4);
      await log.trim('triggers', 1, offsets[2] ?? NaN);
      await log.trim('triggers', 1, offsets[1] ?? NaN);
      expect(ids((await log.read('triggers', 1, 0, wide)).records)).toEqual(appended.slice(2));
    });

    test('a trim beyond the end removes all present records; later ones are read, at higher offsets', async () => {
      await filled(3);
      const end = await log.end('triggers', 1);
      await log.trim('triggers', 1, end + 1_000);
      expect(await log.end('triggers', 1)).toBe(end);
      expect((await log.read('triggers', 1, 0, wide)).records).toEqual([]);
      const { ids: later, offsets } = await filled(2);
      expect(Math.min(...offsets)).toBeGreaterThanOrEqual(end);
      expect(ids((await log.read('triggers', 1, 0, wide)).records)).toEqual(later);
    });

    test('other partitions keep what they have', async () => {
      const from = await log.end('triggers', 2);
      const { offsets } = await filled(3);
      const kept = await readRecords(log, { topic: 'triggers', partition: 2, from }, 3);
      await log.trim('triggers', 1, (offsets.at(-1) ?? NaN) + 1);
      expect(await readRecords(log, { topic: 'triggers', partition: 2, from }, 3)).toEqual(kept);
    });

    test('a tail at a trimmed offset continues at the first remaining record', async () => {
      const { ids: appended, offsets } = await filled(5);
      await log.trim('triggers', 1, offsets[3] ?? NaN);
      const tail = log.tail([{ topic: 'triggers', partition: 1, offset: offsets[0] ?? NaN }], wide);
      const seen: string[] = [];
      const until = Date.now() + deadlineMs;
      while (seen.length < 2 && Date.now() < until)
        for (const page of await tail.next(deadlineMs)) seen.push(...ids(page.records));
      expect(seen).toEqual(appended.slice(3));
      await tail.close();
    });

    test('a topic that keeps its records is refused, and so is an unknown partition', async () => {
      await expect(log.trim('commands' as 'triggers', 0, 1)).rejects.toThrow(/commands/);
      await expect(log.trim('triggers', 99, 1)).rejects.toThrow(/99/);
    });
  });

  test('trimming a log that was closed is refused', async () => {
    const { log, dispose } = await open();
    await log.close();
    expect(await codeOf(log.trim('triggers', 1, 1))).toBe('closed');
    await dispose?.();
  });
}
