import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadMasterKey } from './master-key.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'master-key-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const keep = async (text: string, mode = 0o600): Promise<string> => {
  const path = join(dataDir, 'master-key');
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
};

test('the first start makes a key of 32 bytes that only its owner can read', async () => {
  const key = await loadMasterKey(dataDir, false);
  expect(key).toHaveLength(32);
  expect((await stat(join(dataDir, 'master-key'))).mode & 0o777).toBe(0o600);
  expect(await readdir(dataDir)).toEqual(['master-key']);
});

test('where something was sealed, no new key takes the place of one that is gone', async () => {
  await expect(loadMasterKey(dataDir, true)).rejects.toThrow(`${join(dataDir, 'master-key')} is missing`);
  expect(await readdir(dataDir)).toEqual([]);
  const key = await loadMasterKey(dataDir, false);
  expect(await loadMasterKey(dataDir, true)).toEqual(key);
});

test('the data directory is made when it is missing', async () => {
  const nested = join(dataDir, 'a', 'b');
  expect(await loadMasterKey(nested, false)).toEqual(await loadMasterKey(nested, false));
});

test('several that start at once on an empty directory have the same key', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => loadMasterKey(dataDir, false)));
  expect(new Set(keys.map(String)).size).toBe(1);
  expect(await loadMasterKey(dataDir, true)).toEqual(keys[0]);
});

test('every later start gives the same key and leaves the file as it is', async () => {
  const key = await loadMasterKey(dataDir, false);
  const before = await readFile(join(dataDir, 'master-key'));
  expect(await loadMasterKey(dataDir, false)).toEqual(key);
  expect(await readFile(join(dataDir, 'master-key'))).toEqual(before);
});

test('two data directories have different keys', async () => {
  expect(await loadMasterKey(join(dataDir, 'a'), false)).not.toEqual(await loadMasterKey(join(dataDir, 'b'), false));
});

test.each([0o644, 0o640, 0o660, 0o601, 0o700])('a key file of mode %o is refused with what to run', async (mode) => {
  const path = await keep(`${Buffer.alloc(32).toString('base64')}\n`, mode);
  await expect(loadMasterKey(dataDir, false)).rejects.toThrow(`chmod 600 ${path}`);
});

test.each(['', 'short', Buffer.alloc(31).toString('base64')])(
  'a key file with the content %j is refused, not replaced',
  async (text) => {
    const path = await keep(text);
    await expect(loadMasterKey(dataDir, false)).rejects.toThrow(`${path} holds no master key`);
    expect(await readFile(path, 'utf8')).toBe(text);
  },
);

test('a key file that cannot be read is not taken for one without a key', async () => {
  const path = join(dataDir, 'master-key');
  await mkdir(path, { mode: 0o755 });
  await expect(loadMasterKey(dataDir, false)).rejects.toMatchObject({ code: 'EISDIR', path });
});
