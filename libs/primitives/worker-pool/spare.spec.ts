// A spare process is taken once, replaced when it has died, and ended at the close.
import { Spare } from './spare.ts';

class FakeWorker {
  isDead = false;
}

const made: FakeWorker[] = [];
const open = (): Spare<FakeWorker> => {
  made.length = 0;
  const spawn = (): FakeWorker => {
    const worker = new FakeWorker();
    made.push(worker);
    return worker;
  };
  return new Spare({ spawn, dismiss: (worker) => (worker.isDead = true) });
};

it('gives the spare process, or a new one when there is none', () => {
  const spare = open();
  spare.prepare();
  spare.prepare();
  expect([made.length, spare.take() === made[0], spare.worker]).toEqual([1, true, undefined]);
  expect([spare.take() === made[1], made.length]).toEqual([true, 2]);
});

it('does not give a process that has died', () => {
  const spare = open();
  spare.prepare();
  for (const worker of made) worker.isDead = true;
  expect(spare.worker).toBeUndefined();
  expect(spare.take()).toBe(made[1]);
});

it('keeps no spare process once it is closed', () => {
  const spare = open();
  spare.prepare();
  spare.close();
  spare.prepare();
  expect(made.map(({ isDead }) => isDead)).toEqual([true]);
});
