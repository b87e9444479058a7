// The disk space of installs stays within limits: the least recently used is deleted, and what might be in use is kept.
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sweep } from './sweep.ts';
import { newDraft, placeTree, readRecord, treeFolder } from './tree.ts';

let directory: string;
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'sweep-'))));
afterEach(() => rm(directory, { recursive: true, force: true }));

const minuteMs = 60_000;
const used = (path: string, minutesAgo: number): Promise<void> => {
  const at = new Date(Date.now() - minutesAgo * minuteMs);
  return utimes(path, at, at);
};

async function tree(name: string, bytes: number, minutesAgo: number): Promise<string> {
  const folder = treeFolder(directory, name);
  await placeTree(await newDraft(directory), folder, { bytes, hashes: {} });
  await used(folder, minutesAgo);
  return folder;
}

const trees = async (): Promise<readonly string[]> => (await readdir(join(directory, 'trees'))).toSorted();

it('drops the trees that were used longest ago, until an eighth of the bound is free', async () => {
  for (const [name, minutesAgo] of [
    ['a', 90],
    ['b', 30],
    ['c', 60],
    ['d', 10],
  ] as const)
    await tree(name, 100, minutesAgo);
  await sweep(directory, { treeBytes: 400, npmBytes: 0 });
  expect(await trees()).toEqual(['a', 'b', 'c', 'd']);
  await sweep(directory, { treeBytes: 300, npmBytes: 0 });
  expect(await trees()).toEqual(['b', 'd']);
});

it('keeps what was used a moment ago, up to twice the bound', async () => {
  await tree('old', 100, 90);
  const folder = await tree('in-use', 100, 0);
  await sweep(directory, { treeBytes: 50, npmBytes: 0 });
  expect([await trees(), await readRecord(folder)]).toEqual([['in-use'], { bytes: 100, hashes: {} }]);
});

it('drops old drafts, and no recent ones', async () => {
  const [left, young] = [await newDraft(directory), await newDraft(directory)];
  await writeFile(join(left, 'half'), 'a package');
  await used(left, 11);
  await sweep(directory);
  expect(await trees()).toEqual([young.split('/').at(-1)]);
});

it('keeps the cache of npm within its bound, dropping the files read longest ago', async () => {
  const folder = join(directory, 'npm/_cacache/content-v2/sha512/ab');
  await mkdir(folder, { recursive: true });
  for (const [name, minutesAgo] of [
    ['first', 60],
    ['second', 30],
    ['third', 0],
  ] as const) {
    await writeFile(join(folder, name), Buffer.alloc(10_000));
    await used(join(folder, name), minutesAgo);
  }
  await sweep(directory, { treeBytes: 0, npmBytes: 25_000 });
  expect((await readdir(folder)).toSorted()).toEqual(['second', 'third']);
});

it('drops all entries of the cache before any file, since npm fails at an entry without its file', async () => {
  const cache = join(directory, 'npm/_cacache');
  const [entries, files] = [join(cache, 'index-v5/ab/cd'), join(cache, 'content-v2/sha512/ab/cd')];
  for (const folder of [entries, files]) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'one'), 'of a block at least');
    await writeFile(join(folder, 'two'), 'of a block at least');
  }
  await used(join(files, 'one'), 30);
  await used(join(files, 'two'), 20);
  await sweep(directory, { treeBytes: 0, npmBytes: 16_384 });
  expect([await readdir(entries), (await readdir(files)).toSorted()]).toEqual([
    ['one', 'two'],
    ['one', 'two'],
  ]);
  await sweep(directory, { treeBytes: 0, npmBytes: 16_383 });
  expect([await readdir(entries), (await readdir(files)).toSorted()]).toEqual([[], ['one', 'two']]);
  await sweep(directory, { treeBytes: 0, npmBytes: 6_000 });
  expect(await readdir(files)).toEqual(['two']);
});

it('drops what npm has left half written, and nothing that it may be writing', async () => {
  const folder = join(directory, 'npm/_cacache/tmp');
  await mkdir(folder, { recursive: true });
  for (const [name, minutesAgo] of [
    ['left', 11],
    ['writing', 1],
  ] as const) {
    await writeFile(join(folder, name), 'half');
    await used(join(folder, name), minutesAgo);
  }
  await sweep(directory);
  expect(await readdir(folder)).toEqual(['writing']);
});

it('drops what may be in use as well, once there is more than twice the bound', async () => {
  for (const [name, minutesAgo] of [
    ['a', 4],
    ['b', 3],
    ['c', 2],
    ['d', 0],
  ] as const)
    await tree(name, 100, minutesAgo);
  await sweep(directory, { treeBytes: 100, npmBytes: 0 });
  expect(await trees()).toEqual(['c', 'd']);
});

it('drops a tree whose record is damaged', async () => {
  const [damaged, recent] = [await tree('damaged', 100, 0), await tree('recent', 100, 0)];
  for (const folder of [damaged, recent]) await writeFile(join(folder, 'tree.json'), 'half');
  await used(damaged, 11);
  await sweep(directory);
  expect(await trees()).toEqual(['recent']);
});
