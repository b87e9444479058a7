import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDataDir } from './data-dir.ts';

test('it is made for its owner alone', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'data-dir-'));
  await makeDataDir(join(parent, 'a', 'data'));
  expect((await stat(join(parent, 'a', 'data'))).mode & 0o777).toBe(0o700);
  await rm(parent, { recursive: true });
});

test.each([
  ['/proc/nothing', 'it cannot be made (ENOENT)'],
  ['/proc/self/status/data', 'it is a file, or within one'],
])('%s is refused at once, with what to do: %s', async (dataDir, why) => {
  await expect(makeDataDir(dataDir)).rejects.toMatchObject({
    code: 'unavailable',
    message: `DATA_DIR ${dataDir}: ${why}. Set DATA_DIR to a directory of your own.`,
  });
});

test('a link to a directory that is not there is not taken for a file', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'data-dir-'));
  const [link, target] = [join(parent, 'data'), join(parent, 'mounted')];
  await symlink(target, link);
  for (const dataDir of [link, join(link, 'wellspring')])
    await expect(makeDataDir(dataDir)).rejects.toThrow(`${link} is a link to ${target}, where nothing is`);
  await rm(parent, { recursive: true });
});

const names = ['log.sqlite', 'views.sqlite', 'views.sqlite-wal', 'api-key', 'master-key'];

test.each(names)('what has the place of the file %s is named at once: a directory, a pipe, a device', async (name) => {
  const parent = await mkdtemp(join(tmpdir(), 'data-dir-'));
  const path = join(parent, name);
  await mkdir(path);
  await expect(makeDataDir(parent)).rejects.toMatchObject({ code: 'EISDIR', path });
  await rm(path, { recursive: true });
  execFileSync('mkfifo', [path]);
  await expect(makeDataDir(parent)).rejects.toMatchObject({ code: 'EFTYPE', path });
  await rm(path);
  await symlink('/dev/zero', path);
  await expect(makeDataDir(parent)).rejects.toMatchObject({ code: 'EFTYPE', path });
  await rm(path);
  await writeFile(join(parent, 'elsewhere'), '');
  await symlink(join(parent, 'elsewhere'), path);
  await expect(makeDataDir(parent)).resolves.toBeUndefined();
  await rm(parent, { recursive: true });
});
