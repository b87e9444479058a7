// Jobs run one at a time in each of a few processes; callers take turns; a job runs twice when its process dies.
import { jest } from '@jest/globals';
import { WorkerPool } from './worker-pool.ts';

class FakeWorker {
  isDead = false;
}

const workers: FakeWorker[] = [];
let pool: WorkerPool<FakeWorker>;
beforeEach(() => {
  workers.length = 0;
  const spawn = (): FakeWorker => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  };
  pool = new WorkerPool({ what: 'worker', size: 2, spawn, dismiss: (worker) => (worker.isDead = true) });
});
afterEach(() => {
  jest.useRealTimers();
  pool.close();
});

/** A job that ends when the test ends it. */
function startHeldJob(caller: string): {
  readonly end: () => void;
  readonly done: Promise<string | undefined>;
  begun: boolean;
} {
  const { promise, resolve } = Promise.withResolvers<string>();
  const job = { end: () => resolve(caller), begun: false };
  const done = pool.runJob(caller, () => {
    job.begun = true;
    return promise;
  });
  return Object.assign(job, { done });
}

it('starts a process when there is work, and another one only when the first is busy', async () => {
  expect(workers).toHaveLength(0);
  for (let round = 0; round < 3; round++) await pool.runJob('a', async () => 1);
  expect(workers).toHaveLength(1);
  const jobs = [startHeldJob('a'), startHeldJob('b'), startHeldJob('c')];
  await new Promise(setImmediate);
  expect(workers).toHaveLength(2);
  expect(jobs.map(({ begun }) => begun)).toEqual([true, true, false]);
  for (const job of jobs) job.end();
  await Promise.all(jobs.map(({ done }) => done));
  expect(workers).toHaveLength(2);
});

it('never gives one caller every process', async () => {
  const greedy = [startHeldJob('greedy'), startHeldJob('greedy')];
  await new Promise(setImmediate);
  expect(greedy.map(({ begun }) => begun)).toEqual([true, false]);
  expect(await pool.runJob('modest', async () => 'made')).toBe('made');
  for (const job of greedy) job.end();
  await Promise.all(greedy.map(({ done }) => done));
});

it('takes callers in turn: many jobs of one do not delay another', async () => {
  const other = startHeldJob('other');
  const greedy = Array.from({ length: 100 }, () => startHeldJob('greedy'));
  const modest = startHeldJob('modest');
  await new Promise(setImmediate);
  expect(modest.begun).toBe(false);
  for (const job of [...greedy.slice(0, 2), modest]) job.end();
  expect(await modest.done).toBe('modest');
  expect(greedy.filter(({ begun }) => begun).length).toBeLessThanOrEqual(3);
  for (const job of [other, ...greedy]) job.end();
  await Promise.all(greedy.map(({ done }) => done));
});

it('tries a job once more in a fresh process when its process dies of it', async () => {
  const seen: FakeWorker[] = [];
  const dying = async (worker: FakeWorker): Promise<undefined> => {
    seen.push(worker);
    worker.isDead = true;
    return undefined;
  };
  await pool.runJob('a', async () => 1);
  expect(await pool.runJob('a', dying)).toBeUndefined();
  expect(seen).toEqual([workers[0], workers[1]]);
  const once = (worker: FakeWorker): Promise<string | undefined> =>
    seen.includes(worker) || worker !== workers[2] ? Promise.resolve('made') : dying(worker);
  expect(await pool.runJob('a', once)).toBe('made');
  expect(workers).toHaveLength(4);
});

it('continues after a job that throws', async () => {
  const failing = pool.runJob('a', () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await pool.runJob('a', async () => 1)).toBe(1);
});

it('lets surplus processes go when they are idle, and keeps one', async () => {
  jest.useFakeTimers();
  const jobs = [startHeldJob('a'), startHeldJob('b')];
  for (const job of jobs) job.end();
  await Promise.all(jobs.map(({ done }) => done));
  expect(pool.workers).toHaveLength(2);
  jest.advanceTimersByTime(60_000);
  expect(pool.workers).toHaveLength(1);
});

it('refuses what waits beyond its bound, and everything once it is closed', async () => {
  const jobs = Array.from({ length: 1_001 }, () => startHeldJob('a'));
  await expect(pool.runJob('b', async () => 1)).rejects.toMatchObject({ code: 'unavailable' });
  const ends = Promise.allSettled(jobs.map(({ done }) => done));
  pool.close();
  expect(workers.every(({ isDead }) => isDead)).toBe(true);
  for (const job of jobs) job.end();
  const refused = (await ends).filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(1_000);
  await expect(pool.runJob('a', async () => 1)).rejects.toMatchObject({ code: 'closed' });
});
