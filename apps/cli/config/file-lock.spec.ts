import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withFileLock } from './file-lock.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'one-'));
});
afterEach(() => rm(dir, { recursive: true }));

test('the lock of a killed process is ignored after a while, and no lock is left', async () => {
  const path = join(dir, 'file');
  await writeFile(`${path}.lock`, '');
  const done: string[] = [];
  await withFileLock(path, async () => void done.push('once'), 60);
  expect(done).toEqual(['once']);
  expect(await readdir(dir)).toEqual([]);
});

test('work that fails leaves no lock', async () => {
  const path = join(dir, 'file');
  await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await readdir(dir)).toEqual([]);
});
