import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withFileLock } from './file-lock.ts';

const { pid: endedPid } = spawnSync(process.execPath, ['--version']);
const longMs = 60_000;

let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'one-'));
  path = join(dir, 'file');
});
afterEach(() => rm(dir, { recursive: true }));

const writeLock = (pid: number, host = hostname()): Promise<void> =>
  writeFile(`${path}.lock`, JSON.stringify({ host, pid, id: 'a' }));

/** Runs `count` pieces of work at once, and returns how many ran at the same time at most. */
async function mostAtOnce(count: number): Promise<number> {
  let running = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    most = Math.max(most, ++running);
    await pause(1);
    running--;
  };
  await Promise.all(Array.from({ length: count }, () => withFileLock(path, work, longMs)));
  return most;
}

test('one works at a time, and no lock is left', async () => {
  expect(await mostAtOnce(8)).toBe(1);
  expect(await readdir(dir)).toEqual([]);
});

test.each([
  ['a process that was killed', endedPid],
  ['an earlier process with the same id', process.pid],
])('the lock of %s is taken over, by one at a time', async (_whose, pid) => {
  await writeLock(pid);
  expect(await mostAtOnce(8)).toBe(1);
  expect(await readdir(dir)).toEqual([]);
});

test.each([
  ['a process that lives', () => writeLock(process.ppid), `process ${process.ppid} on ${hostname()}`],
  ['a process on another machine', () => writeLock(endedPid, 'other'), `process ${endedPid} on other`],
  ['an unknown process', () => writeFile(`${path}.lock`, ''), 'another pd'],
])('the lock of %s is kept, and the error says what to do', async (_whose, lock, named) => {
  await lock();
  const text = await readFile(`${path}.lock`, 'utf8');
  const done: string[] = [];
  await expect(withFileLock(path, async () => void done.push('once'), 60)).rejects.toMatchObject({
    message: `${path} is locked by ${named}, which does not finish.`,
    hint: expect.stringContaining(`remove ${path}.lock (and`),
  });
  expect([done, await readdir(dir), await readFile(`${path}.lock`, 'utf8')]).toEqual([[], ['file.lock'], text]);
});

test('a lock that another process is removing is left to it', async () => {
  await writeLock(endedPid);
  await writeFile(`${path}.lock.removal`, '');
  await expect(withFileLock(path, () => Promise.resolve(), 60)).rejects.toThrow('is locked by');
  await rm(`${path}.lock.removal`);
  await withFileLock(path, () => Promise.resolve(), 60);
  expect(await readdir(dir)).toEqual([]);
});

test('a lock that was given to another process during the work is kept', async () => {
  await withFileLock(path, () => writeLock(process.ppid));
  expect(await readdir(dir)).toEqual(['file.lock']);
});

test('work that fails leaves no lock', async () => {
  await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await readdir(dir)).toEqual([]);
});
