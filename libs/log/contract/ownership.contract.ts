// Contract: each stage and partition has one owner; a newer owner fences the older one, whatever that one was doing.
import { PortError } from '../../domain/port-error.ts';
import type { Log } from '../log.ts';
import { codeOf, idsOf, ids, outgoing, readRecords, type OpenLog, withLog } from './harness.ts';

/** An engine may learn only in recover() that a newer owner was the cause and not a temporary failure. */
const fencedCodes = ['fenced', 'unknown_outcome'];

export function describeOwnership(open: OpenLog): void {
  describe('ownership', () => {
    let log: Log;
    withLog(open, (opened) => {
      log = opened.log;
    });

    test('the first owner starts without positions', async () => {
      const { mark, stage, partition } = await log.own('delivery', 3);
      expect({ stage, partition, positions: mark.positions, batch: mark.batch }).toEqual({
        stage: 'delivery',
        partition: 3,
        positions: {},
        batch: 0,
      });
    });

    test('the next owner finds the last positions, and has a higher generation', async () => {
      const first = await log.own('runtime', 0);
      await first.append([outgoing('channels', 0)], { 'triggers/0': 3 });
      await first.append([outgoing('channels', 0)], { 'triggers/0': 5, 'components/0': 2 });
      const second = await log.own('runtime', 0);
      expect(second.mark.positions).toEqual({ 'triggers/0': 5, 'components/0': 2 });
      expect(second.mark.batch).toBe(first.mark.batch);
      expect(second.mark.generation).toBeGreaterThan(first.mark.generation);
    });

    test('every mark is written to the marks topic of its stage', async () => {
      const from = await log.end('marks.runtime', 0);
      const writer = await log.own('runtime', 0);
      await writer.append([outgoing('channels', 0)], { 'triggers/0': 8 });
      const found = await readRecords(log, { topic: 'marks.runtime', partition: 0, from }, 1);
      expect(found.at(-1)).toMatchObject({ type: 'MarkMoved', key: '0', workspace: '', data: writer.mark });
    });

    test('a stalled owner that wakes after a take-over cannot append', async () => {
      const stalled = await log.own('runtime', 1);
      await stalled.append([outgoing('channels', 1)], { 'triggers/1': 1 });
      const owner = await log.own('runtime', 1);
      const from = await log.end('channels', 1);
      expect(fencedCodes).toContain(await codeOf(stalled.append([outgoing('channels', 1)], { 'triggers/1': 2 })));
      expect(await codeOf(stalled.recover())).toBe('fenced');
      expect(await codeOf(stalled.append([outgoing('channels', 1)], { 'triggers/1': 3 }))).toBe('fenced');
      const record = outgoing('channels', 1);
      await owner.append([record], { 'triggers/1': 2 });
      expect(ids(await readRecords(log, { topic: 'channels', partition: 1, from }, 1))).toEqual([record.record.id]);
      expect((await log.own('runtime', 1)).mark.positions).toEqual({ 'triggers/1': 2 });
    });

    test('appends in flight at a take-over are stored before it, with their mark, or not at all', async () => {
      const stalled = await log.own('delivery', 1);
      const from = await log.end('deliveries', 1);
      const records = Array.from({ length: 30 }, () => outgoing('deliveries', 1));
      const early = records.slice(0, 15).map((record, i) => stalled.append([record], { 'channels/1': i + 1 }));
      const takenOver = log.own('delivery', 1);
      const late = records.slice(15).map((record, i) => stalled.append([record], { 'channels/1': i + 16 }));
      const settled = Promise.allSettled([...early, ...late]);
      const owner = await takenOver;
      const last = outgoing('deliveries', 1);
      await owner.append([last], owner.mark.positions);
      const outcomes = await settled;
      const position = owner.mark.positions['channels/1'] ?? 0;
      const found = await readRecords(log, { topic: 'deliveries', partition: 1, from }, position + 1);
      expect(ids(found)).toEqual([...idsOf(records.slice(0, position)), last.record.id]);
      const acknowledged = outcomes.filter(({ status }) => status === 'fulfilled').length;
      expect(acknowledged).toBeLessThanOrEqual(position);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(PortError);
    });

    test('owners of other partitions and other stages do not disturb each other', async () => {
      const writers = [await log.own('runtime', 2), await log.own('runtime', 3), await log.own('delivery', 2)] as const;
      await Promise.all([
        writers[0].append([outgoing('channels', 2)], { 'triggers/2': 1 }),
        writers[1].append([outgoing('channels', 3)], { 'triggers/3': 1 }),
        writers[2].append([outgoing('deliveries', 2)], { 'channels/2': 1 }),
      ]);
      await log.own('runtime', 3);
      await writers[0].append([outgoing('channels', 2)], { 'triggers/2': 2 });
      await writers[2].append([outgoing('deliveries', 2)], { 'channels/2': 2 });
      expect((await log.own('runtime', 2)).mark.positions).toEqual({ 'triggers/2': 2 });
      expect((await log.own('delivery', 2)).mark.positions).toEqual({ 'channels/2': 2 });
    });

    test('a released writer has finished what was in flight, and appends no more', async () => {
      const writer = await log.own('runtime', 2);
      const from = await log.end('channels', 2);
      const record = outgoing('channels', 2);
      const appended = writer.append([record], { 'triggers/2': 9 });
      await writer.release();
      await expect(appended).resolves.toHaveLength(1);
      expect(await codeOf(writer.append([outgoing('channels', 2)], {}))).toBe('closed');
      expect(await codeOf(writer.recover())).toBe('closed');
      const next = await log.own('runtime', 2);
      const after = outgoing('channels', 2);
      await next.append([after], next.mark.positions);
      const found = await readRecords(log, { topic: 'channels', partition: 2, from }, 2);
      expect(ids(found)).toEqual([record.record.id, after.record.id]);
      expect(next.mark.positions).toEqual({ 'triggers/2': 9 });
    });

    test('only existing partitions can be owned', async () => {
      await expect(log.own('runtime', log.partitions)).rejects.toThrow(/partition/);
      await expect(log.own('lifecycle', 1)).rejects.toThrow(/partition/);
      await expect(log.own('runtime', -1)).rejects.toThrow(/partition/);
    });
  });
}
