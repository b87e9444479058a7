// Waiting for a checkpoint (read your writes), with the view store in memory.
import { MemoryViewStore } from './view-store.fake.ts';
import { waitForCheckpoint } from './wait-for-checkpoint.ts';

const record = { topic: 'listeners', partition: 0, offset: 7 } as const;

test('a record below the checkpoint has passed', async () => {
  const build = new MemoryViewStore([]).live();
  await build.saveCheckpoint({ 'listeners/0': 8 });
  expect(await waitForCheckpoint(build, record, 0)).toBe(true);
});

test('a record at the checkpoint has not', async () => {
  const build = new MemoryViewStore([]).live();
  await build.saveCheckpoint({ 'listeners/0': 7, 'components/0': 100 });
  expect(await waitForCheckpoint(build, record, 5)).toBe(false);
});

test('a waiting caller continues once the checkpoint passes, also after a switch to another build', async () => {
  const store = new MemoryViewStore([]);
  const passed = waitForCheckpoint(store.live(), record, 60_000);
  const next = await store.begin();
  await next.saveCheckpoint({ 'listeners/0': 8 });
  await store.switchTo(next);
  expect(await passed).toBe(true);
});
