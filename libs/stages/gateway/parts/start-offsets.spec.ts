import { until } from '../../../../test/support/until.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import { TooManyWaiting } from '../control/waiting/too-many-waiting.ts';
import { StartOffsets } from './start-offsets.ts';

test('many look-ups of one workspace run two at a time, those of another one run in between, and too many are refused', async () => {
  const log = new MemoryLog({ partitions: 1 });
  const waiting: (() => void)[] = [];
  const beginnings = new StartOffsets({
    partitions: 1,
    read: log.read.bind(log),
    end: async (topic, partition) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return log.end(topic, partition);
    },
  });
  const many = Array.from({ length: 66 }, () => beginnings.find('o_1', 'dc_*', 1));
  await expect(beginnings.find('o_1', 'dc_*', 1)).rejects.toBeInstanceOf(TooManyWaiting);
  expect(waiting.length).toBe(2);
  const other = beginnings.find('o_2', 'dc_a', 1);
  expect(waiting.length).toBe(3);
  waiting[2]?.();
  expect(await other).toEqual([{ partition: 0, offset: 0 }]);
  let ended = false;
  const all = Promise.all(many).finally(() => (ended = true));
  const goOn = (): boolean => {
    for (const go of waiting.splice(0)) go();
    return ended;
  };
  await until('all look-ups', goOn, 15_000, 1);
  expect((await all).length).toBe(66);
  await log.close();
});
