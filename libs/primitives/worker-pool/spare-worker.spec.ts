// A spare process is taken once, replaced when it has died, and ended at the close.
import { SpareWorker } from './spare-worker.ts';

class FakeWorker {
  isDead = false;
}

const spawned: FakeWorker[] = [];
const open = (): SpareWorker<FakeWorker> => {
  spawned.length = 0;
  const spawn = (): FakeWorker => {
    const worker = new FakeWorker();
    spawned.push(worker);
    return worker;
  };
  return new SpareWorker({ spawn, dismiss: (worker) => (worker.isDead = true) });
};

it('gives the spare process, or a new one when there is none', () => {
  const spare = open();
  spare.prepare();
  spare.prepare();
  expect([spawned.length, spare.take() === spawned[0], spare.worker]).toEqual([1, true, undefined]);
  expect([spare.take() === spawned[1], spawned.length]).toEqual([true, 2]);
});

it('does not give a process that has died', () => {
  const spare = open();
  spare.prepare();
  for (const worker of spawned) worker.isDead = true;
  expect(spare.worker).toBeUndefined();
  expect(spare.take()).toBe(spawned[1]);
});

it('keeps no spare process once it is closed', () => {
  const spare = open();
  spare.prepare();
  spare.close();
  spare.prepare();
  expect(spawned.map(({ isDead }) => isDead)).toEqual([true]);
});
