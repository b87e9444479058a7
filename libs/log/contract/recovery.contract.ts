// Contract: after a failed append nothing is appended until recover(), which returns the mark that is on the log.
import type { Log, Writer } from '../log.ts';
import { codeOf, ids, outgoing, readRecords, type OpenedLog, type OpenLog, withLog } from './harness.ts';

export function describeRecovery(open: OpenLog): void {
  describe('recovery', () => {
    let opened: OpenedLog;
    let log: Log;
    let writer: Writer;
    withLog(open, (given) => {
      opened = given;
      log = given.log;
    });
    beforeEach(async () => {
      writer = await log.own('runtime', 1);
    });

    test('recover() without a failure returns the last mark, and the writer continues', async () => {
      await writer.append([outgoing('channels', 1)], { 'triggers/1': 4 });
      expect((await writer.recover()).positions).toEqual({ 'triggers/1': 4 });
      await writer.append([outgoing('channels', 1)], { 'triggers/1': 5 });
      expect(writer.mark.positions).toEqual({ 'triggers/1': 5 });
    });

    test('recover() waits for appends in flight', async () => {
      const appended = writer.append([outgoing('channels', 1)], { 'triggers/1': 6 });
      expect((await writer.recover()).positions).toEqual({ 'triggers/1': 6 });
      await expect(appended).resolves.toHaveLength(1);
    });

    test('after a refused append every later one fails until recover()', async () => {
      const from = await log.end('channels', 1);
      await expect(writer.append([outgoing('components', 1)], { 'triggers/1': 7 })).rejects.toThrow(/components/);
      expect(await codeOf(writer.append([outgoing('channels', 1)], { 'triggers/1': 8 }))).toBe('unavailable');
      await writer.recover();
      const record = outgoing('channels', 1);
      await writer.append([record], { 'triggers/1': 9 });
      expect(ids(await readRecords(log, { topic: 'channels', partition: 1, from }, 1))).toEqual([record.record.id]);
    });

    test('appends called before one fails are refused with it, and none of their records is stored', async () => {
      const from = await log.end('channels', 1);
      const { positions } = writer.mark;
      opened.failNextAppend('unavailable');
      const called = [1, 2, 3].map((n) => writer.append([outgoing('channels', 1)], { 'triggers/1': n }));
      for (const appended of called) expect(await codeOf(appended)).toBe('unavailable');
      expect((await writer.recover()).positions).toEqual(positions);
      const record = outgoing('channels', 1);
      await writer.append([record], positions);
      expect(ids(await readRecords(log, { topic: 'channels', partition: 1, from }, 1))).toEqual([record.record.id]);
    });

    test.each([
      ['unknown_outcome_committed', 'was carried out', 2],
      ['unknown_outcome_lost', 'was not carried out', 1],
    ] as const)('%s: recover() returns the right mark when the append %s', async (fault, _, stands) => {
      const from = await log.end('channels', 1);
      const stateFrom = await log.end('state', 1);
      await writer.append([outgoing('channels', 1), outgoing('state', 1)], { 'triggers/1': 1 });
      opened.failNextAppend(fault);
      const unknown = writer.append([outgoing('channels', 1), outgoing('state', 1)], { 'triggers/1': 2 });
      expect(await codeOf(unknown)).toBe('unknown_outcome');
      expect((await writer.recover()).positions).toEqual({ 'triggers/1': stands });
      expect(writer.mark.positions).toEqual({ 'triggers/1': stands });
      await writer.append([outgoing('channels', 1), outgoing('state', 1, { key: 'dc_last' })], { 'triggers/1': 3 });
      expect(await readRecords(log, { topic: 'channels', partition: 1, from }, stands + 1)).toHaveLength(stands + 1);
      const states = await readRecords(log, { topic: 'state', partition: 1, from: stateFrom }, 2);
      expect(states.at(-1)?.key).toBe('dc_last');
      expect((await log.own('runtime', 1)).mark.positions).toEqual({ 'triggers/1': 3 });
    });

    test('a request that fails does not disturb the requests after it', async () => {
      const from = await log.end('commands', 0);
      opened.failNextAppend('unavailable');
      expect(await codeOf(log.request(outgoing('commands')))).toBe('unavailable');
      const record = outgoing('commands');
      await log.request(record);
      expect(ids(await readRecords(log, { topic: 'commands', partition: 0, from }, 1))).toEqual([record.record.id]);
    });
  });
}
