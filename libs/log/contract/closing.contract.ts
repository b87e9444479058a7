// Contract: closing lets work in flight finish, and refuses every later call.
import { codeOf, outgoing, wide, type OpenLog } from './harness.ts';

export function describeClosing(open: OpenLog): void {
  describe('closing', () => {
    test('acknowledges what was in flight', async () => {
      const { log, dispose } = await open();
      const writer = await log.own('runtime', 1);
      const appended = [1, 2, 3].map((n) => writer.append([outgoing('channels', 1)], { 'triggers/1': n }));
      const requested = log.request(outgoing('commands'));
      await log.close();
      for (const offsets of await Promise.all(appended)) expect(offsets).toHaveLength(1);
      expect(await requested).toEqual(expect.any(Number));
      await dispose?.();
    });

    test('refuses everything afterwards as closed', async () => {
      const { log, dispose } = await open();
      const writer = await log.own('runtime', 1);
      const tail = log.tail([{ topic: 'channels', partition: 1, offset: 0 }], wide);
      const waiting = tail.next(60_000);
      await log.close();
      expect(await waiting).toEqual([]);
      expect(await codeOf(tail.next(1))).toBe('closed');
      expect(await codeOf(writer.append([outgoing('channels', 1)], {}))).toBe('closed');
      expect(await codeOf(writer.recover())).toBe('closed');
      expect(await codeOf(log.own('runtime', 1))).toBe('closed');
      expect(await codeOf(log.request(outgoing('commands')))).toBe('closed');
      expect(await codeOf(log.read('channels', 1, 0, wide))).toBe('closed');
      expect(await codeOf(log.end('channels', 1))).toBe('closed');
      expect(() => log.tail([], wide)).toThrow(expect.objectContaining({ code: 'closed' }));
      expect(() => log.onReply('gw_1', () => {})).toThrow(expect.objectContaining({ code: 'closed' }));
      log.reply('gw_1', { type: 'SourceFree', sourceId: 'dc_1' });
      await dispose?.();
    });

    test('can be done twice', async () => {
      const { log, dispose } = await open();
      await Promise.all([log.close(), log.close()]);
      await expect(log.close()).resolves.toBeUndefined();
      await dispose?.();
    });
  });
}
