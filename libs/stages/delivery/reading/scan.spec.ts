// A short search of the log never waits for a long one to end.
import type { RecordOn } from '../../../domain/messages-of.ts';
import { recordOf, samples } from '../../../domain/record/samples.fake.ts';
import { Semaphore } from '../../../primitives/sharing/semaphore.ts';
import { scan, type ScanOptions } from './scan.ts';

test('a search that ends within its first page does not wait for longer searches', async () => {
  const gate = Promise.withResolvers<void>();
  const record = { ...recordOf('EventEmitted', samples.channels.EventEmitted), topic: 'channels', partition: 0 };
  const log = {
    read: async (_topic: string, _partition: number, from: number, { to = 0 }: { to?: number }) => {
      if (from >= 512) await gate.promise;
      const next = Math.min(from + 512, to);
      const records = [{ ...record, offset: from }] as unknown as RecordOn<'channels'>[];
      return { topic: 'channels', partition: 0, records, next, malformed: [] };
    },
  };
  const scanSlots = { first: new Semaphore(1), further: new Semaphore(1) };
  const options = { context: { log, partition: 0 }, readSlots: new Semaphore(4), scanSlots } as unknown as ScanOptions;
  const ended: number[] = [];
  const search = async (to: number): Promise<void> => {
    await scan(options, { topic: 'channels', from: 0, to: () => to, shouldContinue: () => true }, () => {});
    ended.push(to);
  };
  const long = [search(1_000_000), search(600_000)];
  await Promise.all([100, 200, 512].map(search));
  expect(ended).toEqual([100, 200, 512]);
  gate.resolve();
  await Promise.all(long);
  expect(ended).toHaveLength(5);
});
