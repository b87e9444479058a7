import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from './folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'folder-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a folder is made with those that it is in, each with the mode, and may be there already', async () => {
  const path = join(folder, 'a', 'b');
  for (let i = 0; i < 2; i++) await makeFolder(path, 0o700);
  for (const made of [join(folder, 'a'), path]) expect((await stat(made)).mode & 0o777).toBe(0o700);
  await makeFolder('/', 0o700);
});

test('two that are made at once are both there', async () => {
  await Promise.all(['a/b/c', 'a/b/d', 'a/b/c'].map((path) => makeFolder(join(folder, path), 0o700)));
  expect((await readdir(join(folder, 'a', 'b'))).sort()).toEqual(['c', 'd']);
});

test.each(['ENOENT /proc/nothing/here', 'ENOENT /proc/nothing'])(
  'where nothing can be made it fails: %s',
  async (at) => {
    const [code, path = ''] = at.split(' ');
    await expect(makeFolder(path, 0o700)).rejects.toMatchObject({ code });
  },
);

test('neither a file nor a link to nothing is taken for a folder', async () => {
  const [file, link] = [join(folder, 'file'), join(folder, 'link')];
  await writeFile(file, '');
  await symlink(join(folder, 'nowhere', 'at', 'all'), link);
  await expect(makeFolder(file, 0o700)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(file, 'a'), 0o700)).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(makeFolder(join(link, 'a'), 0o700)).rejects.toMatchObject({ code: 'EEXIST' });
});
