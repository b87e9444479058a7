import { jest } from '@jest/globals';
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDurably, writeDurably } from './durable-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'durable-file-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('replaces a file, with the given mode, and leaves no other file', async () => {
  const path = join(folder, 'key');
  await writeFile(path, 'old', { mode: 0o644 });
  await writeDurably(path, 'new\n', 0o600);
  expect(await readFile(path, 'utf8')).toBe('new\n');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['key']);
});

test('creates no folder', async () => {
  await expect(writeDurably(join(folder, 'none', 'key'), 'new', 0o600)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('of several who keep a file at once, all are given what one of them wrote, and no other file is left', async () => {
  const path = join(folder, 'key');
  const kept = await Promise.all(Array.from({ length: 8 }, (_, i) => createDurably(path, `key ${i}\n`, 0o600)));
  expect(new Set(kept).size).toBe(1);
  expect(await readFile(path, 'utf8')).toBe(kept[0]);
  expect(await createDurably(path, 'another\n', 0o600)).toBe(kept[0]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['key']);
});

test('where a file cannot be kept, no other file is left', async () => {
  await mkdir(join(folder, 'key'));
  await expect(createDurably(join(folder, 'key'), 'new', 0o600)).rejects.toMatchObject({ code: 'EISDIR' });
  expect(await readdir(folder)).toEqual(['key']);
});

test('where a file cannot be written, no draft of it is left', async () => {
  const full = Object.assign(new Error('no room'), { code: 'ENOSPC' });
  const handle = await open(join(folder, 'other'), 'w');
  const written = jest.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'writeFile').mockRejectedValue(full);
  await handle.close();
  await rm(join(folder, 'other'));
  await expect(createDurably(join(folder, 'key'), 'new', 0o600)).rejects.toBe(full);
  await expect(writeDurably(join(folder, 'key'), 'new', 0o600)).rejects.toBe(full);
  written.mockRestore();
  expect(await readdir(folder)).toEqual([]);
});
