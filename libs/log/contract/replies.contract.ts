// Contract: replies reach one gateway instance or all of them, and are lost without a receiver.
import { randomBytes } from 'node:crypto';
import { sizes } from '../../domain/sizes.ts';
import { everyGateway, type Log, type Reply } from '../log.ts';
import { deadlineMs, type OpenLog, withLog } from './harness.ts';

export function describeReplies(open: OpenLog): void {
  describe('replies', () => {
    let log: Log;
    withLog(open, (opened) => {
      log = opened.log;
    });

    const ended = (correlationId: string): Reply => ({ type: 'RunEnded', correlationId, failed: false });

    /** What a gateway has received, and a way to wait for so many replies. */
    function gateway(name: string): { received: Reply[]; until(count: number): Promise<void>; stop(): void } {
      const received: Reply[] = [];
      let check = (): void => {};
      const stop = log.onReply(name, (reply) => {
        received.push(reply);
        check();
      });
      const until = (count: number): Promise<void> =>
        new Promise((resolve, reject) => {
          const timer = setTimeout(() => reject(new Error(`${name} received ${received.length}`)), deadlineMs);
          check = (): void => {
            if (received.length < count) return;
            clearTimeout(timer);
            resolve();
          };
          check();
        });
      return { received, until, stop };
    }

    test('a reply reaches the gateway that it names, and no other', async () => {
      const [one, two] = [gateway('gw_1'), gateway('gw_2')];
      log.reply('gw_1', ended('req_a'));
      log.reply('gw_2', ended('req_b'));
      await Promise.all([one.until(1), two.until(1)]);
      expect(one.received).toEqual([ended('req_a')]);
      expect(two.received).toEqual([ended('req_b')]);
      one.stop();
      two.stop();
    });

    test('a reply to every gateway reaches all of them', async () => {
      const [one, two] = [gateway('gw_3'), gateway('gw_4')];
      log.reply(everyGateway, { type: 'SourceFull', sourceId: 'dc_1' });
      await Promise.all([one.until(1), two.until(1)]);
      expect(one.received).toEqual([{ type: 'SourceFull', sourceId: 'dc_1' }]);
      expect(two.received).toEqual(one.received);
      one.stop();
      two.stop();
    });

    test('replies come in the order in which they were sent', async () => {
      const one = gateway('gw_5');
      const sent = ['a', 'b', 'c', 'd'].map(ended);
      for (const reply of sent) log.reply('gw_5', reply);
      await one.until(4);
      expect(one.received).toEqual(sent);
      one.stop();
    });

    test('the largest response that a component may give arrives', async () => {
      const one = gateway('gw_8');
      const reply: Reply = {
        type: 'HttpResponded',
        correlationId: 'req_a',
        status: 200,
        headers: {},
        bodyBase64: randomBytes(sizes.responseBodyBytes).toString('base64'),
      };
      log.reply('gw_8', reply);
      await one.until(1);
      expect(one.received).toEqual([reply]);
      one.stop();
    });

    test('a stopped gateway gets no more replies, and a reply to an unknown gateway is ignored', async () => {
      const [stopped, other] = [gateway('gw_6'), gateway('gw_7')];
      stopped.stop();
      log.reply('gw_6', ended('req_a'));
      log.reply('gw_unknown', ended('req_b'));
      log.reply('gw_7', ended('req_c'));
      await other.until(1);
      expect(stopped.received).toEqual([]);
      other.stop();
    });
  });
}
