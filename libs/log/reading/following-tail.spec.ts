import { PortError } from '../../domain/port-error.ts';
import { FollowingTail, Wakeups } from './following-tail.ts';
import type { Page } from '../log.ts';

test('pages read before a partition fails are returned, and the next call throws the failure', async () => {
  let failures = 0;
  const read = async (topic: Page['topic'], partition: number, from: number): Promise<Page> => {
    if (partition === 1 && failures++ === 0) throw new PortError('unavailable', 'told to be');
    const records = from === 0 ? [{ offset: partition }] : [];
    return { topic, partition, records: records as unknown as Page['records'], next: 1 };
  };
  const from = [0, 1].map((partition) => ({ topic: 'runs', partition, offset: 0 }) as const);
  const tail = new FollowingTail(read, new Wakeups(), from, { recordsMax: 1, bytesMax: 1 });
  const received: number[] = [];
  const take = async (): Promise<void> => {
    for (const { records } of await tail.next(0)) received.push(...records.map(({ offset }) => offset));
  };
  await take();
  await take();
  expect(received).toEqual([0, 1]);
  await tail.close();
});
