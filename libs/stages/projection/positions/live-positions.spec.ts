import { jest } from '@jest/globals';
import { MemoryLog } from '../../../log/log.fake.ts';
import type { Page, Positions } from '../../../log/index.ts';
import { MemoryViewStore } from '../../../view-store/view-store.fake.ts';
import { LivePositions } from './live-positions.ts';

const pageOf = (topic: 'channels' | 'listeners', next: number): Page => ({ topic, partition: 0, records: [], next });

function setUp() {
  const views = new MemoryViewStore([]);
  const live = views.live();
  jest.spyOn(views, 'live').mockReturnValue(live);
  return { live, passed: new LivePositions({ log: new MemoryLog({ partitions: 1 }), views }) };
}

test('what one lane passes while the store answers another is not missed in the answer', async () => {
  const { live, passed } = setUp();
  await passed.advance([pageOf('channels', 1)]);
  const before = await live.checkpoint();
  const answered = Promise.withResolvers<Positions>();
  jest.spyOn(live, 'checkpoint').mockReturnValueOnce(answered.promise);
  const checking = passed.verifyStored();
  await passed.advance([pageOf('channels', 2)]);
  answered.resolve(before);
  await expect(checking).resolves.toBeUndefined();
  expect(passed.positions).toEqual({ 'channels/0': 2 });
});

test('what the store no longer holds is missed', async () => {
  const { live, passed } = setUp();
  await passed.advance([pageOf('listeners', 3)]);
  jest.spyOn(live, 'checkpoint').mockResolvedValue({ 'listeners/0': 2 });
  await expect(passed.verifyStored()).rejects.toThrow('The views had passed listeners/0 at 3, and are at 2 now');
});
