// Contract: `offsetAt` finds the offset of a time on a partition, whatever gaps its offsets have.
import type { StoredRecord } from '../../domain/message.ts';
import type { Log } from '../log.ts';
import { offsetAt } from '../offset-at.ts';
import { ids, outgoing, readRecords, requestAll, wide, type OpenLog, withLog } from './harness.ts';

/** Later than the time of any record in other parts of the suite; not in the future, which a broker refuses. */
const beginning = 1_750_000_000_000;
const stepMs = 1_000;
const count = 9;

export function describeTimes(open: OpenLog): void {
  describe('times', () => {
    const place = { topic: 'triggers', partition: 1 } as const;
    let log: Log;
    let stored: readonly StoredRecord[];
    withLog(open, (opened) => {
      log = opened.log;
    });
    beforeAll(async () => {
      const from = await log.end('triggers', 1);
      for (let n = 0; n < count; n++) {
        const record = outgoing('triggers', 1, { at: beginning + n * stepMs });
        await requestAll(log, [record, outgoing('triggers', 2)]);
      }
      stored = await readRecords(log, { ...place, from }, count);
    });

    test('reading from the offset of a time gives the first record of that time or later', async () => {
      for (const [n, record] of stored.entries()) {
        for (const earlierMs of [0, 1, stepMs - 1]) {
          const from = await offsetAt(log, place, beginning + n * stepMs - earlierMs);
          expect(ids((await log.read('triggers', 1, from, wide)).records)[0]).toBe(record.id);
        }
      }
    });

    test('a time after every record gives the end', async () => {
      expect(await offsetAt(log, place, beginning + count * stepMs)).toBe(await log.end('triggers', 1));
    });

    test('a time before every remaining record gives the first one', async () => {
      await log.trim('triggers', 1, stored[2]?.offset ?? 0);
      const from = await offsetAt(log, place, 0);
      expect(ids((await log.read('triggers', 1, from, wide)).records)[0]).toBe(stored[2]?.id);
    });

    test('an empty partition has only its end', async () => {
      expect(await offsetAt(log, { topic: 'channels', partition: 2 }, beginning)).toBe(await log.end('channels', 2));
    });
  });
}
