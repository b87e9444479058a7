// All processes that share the directory find compiled components, complete or not at all, within a size limit.
import { mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskCache } from './disk-cache.ts';

let cacheDir = '';
beforeEach(async () => (cacheDir = await mkdtemp(join(tmpdir(), 'disk-cache-'))));
afterEach(() => rm(cacheDir, { recursive: true }));

const directory = (): string => join(cacheDir, 'compiled');
const files = async (): Promise<string[]> => (await readdir(directory())).map((name) => join(directory(), name));
const compiled = (js: string) => ({ js, map: '{"version":3}' });

it('finds entries of the same edition only, in files that only their owner may read', async () => {
  await new DiskCache(cacheDir, '1').write('a', compiled('exports.ä = 1'));
  expect(await new DiskCache(cacheDir, '1').read('a')).toEqual(compiled('exports.ä = 1'));
  expect(await new DiskCache(cacheDir, '2').read('a')).toBeUndefined();
  expect(await new DiskCache(cacheDir, '1').read('b')).toBeUndefined();
  const [file = ''] = await files();
  expect([(await stat(directory())).mode & 0o777, (await stat(file)).mode & 0o777]).toEqual([0o700, 0o600]);
});

it.each([
  ['changed', (text: string) => text.replace('exports', 'exportz')],
  ['cut short', (text: string) => text.slice(0, -5)],
  ['empty', () => ''],
])('ignores a file that is %s, and writes it anew', async (_how, damage) => {
  const cache = new DiskCache(cacheDir, '1');
  await cache.write('a', compiled('exports.a = 1'));
  const [file = ''] = await files();
  await writeFile(file, damage(await readFile(file, 'utf8')));
  expect(await cache.read('a')).toBeUndefined();
  await cache.write('a', compiled('exports.a = 1'));
  expect(await cache.read('a')).toEqual(compiled('exports.a = 1'));
});

it('stays within its bound: removes the least recently used entries, and files left unfinished', async () => {
  const bytesMax = 20 * 4_096;
  for (let at = 0; at < 10; at++) await new DiskCache(cacheDir, '1', bytesMax).write(`k${at}`, compiled('x'));
  const old = new Date(Date.now() - 1_000_000);
  for (const file of await files()) await utimes(file, old, old);
  const unfinished = join(directory(), 'unfinished.1');
  await writeFile(unfinished, '');
  await utimes(unfinished, old, old);
  const cache = new DiskCache(cacheDir, '1', bytesMax);
  expect(await cache.read('k3')).toBeDefined();
  // The time of use is written in the background.
  const times = async (): Promise<number[]> =>
    Promise.all((await files()).map(async (file) => (await stat(file)).mtimeMs));
  while (Math.max(...(await times())) === old.getTime()) await new Promise(setImmediate);
  for (let at = 10; at < 40; at++) await cache.write(`k${at}`, compiled('x'));
  expect(await files()).not.toContain(unfinished);
  expect((await files()).length).toBeLessThanOrEqual(20);
  expect(await cache.read('k39')).toBeDefined();
  expect(await cache.read('k0')).toBeUndefined();
});

it('continues without a disk', async () => {
  const file = join(cacheDir, 'file');
  await writeFile(file, '');
  const cache = new DiskCache(file, '1');
  await cache.write('a', compiled('x'));
  expect(await cache.read('a')).toBeUndefined();
});
