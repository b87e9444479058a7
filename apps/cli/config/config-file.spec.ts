import { chmod, lstat, mkdir, mkdtemp, readdir, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { changeConfig, restrictToOwner, readConfig, withoutProfile, withProfile } from './config-file.ts';

let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'config-'));
  path = join(dir, 'wellspring', 'config.json');
});
afterEach(() => rm(dir, { recursive: true }));

const profile = { url: 'http://127.0.0.1:3000', api_key: 'pd_x' };
const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;

test('what was written is read back, only its owner can read it, and no temporary file is left', async () => {
  await changeConfig(path, (config) => withProfile(config, 'default', profile));
  expect(await readConfig(path)).toEqual({ profiles: { default: profile } });
  expect([await modeOf(path), await modeOf(dirname(path))]).toEqual([0o600, 0o700]);
  expect(await readdir(dirname(path))).toEqual(['config.json']);
});

test('profiles that are added at once are all there afterwards', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  await Promise.all(names.map((name) => changeConfig(path, (config) => withProfile(config, name, profile))));
  expect(Object.keys((await readConfig(path)).profiles).toSorted()).toEqual(names);
});

test('adding or removing a profile keeps the others', () => {
  const two = withProfile(withProfile({ profiles: {} }, 'a', profile), 'b', { ...profile, api_key: 'pd_y' });
  expect(Object.keys(two.profiles)).toEqual(['a', 'b']);
  expect(withoutProfile(two, 'a').profiles).toEqual({ b: { ...profile, api_key: 'pd_y' } });
});

test('a file that others may read is made private', async () => {
  await changeConfig(path, () => ({ profiles: {} }));
  expect(await restrictToOwner(path)).toBe('private');
  await chmod(path, 0o644);
  expect(await restrictToOwner(path)).toBe('closed');
  expect(await modeOf(path)).toBe(0o600);
});

test('a file of another user is read, and its mode is not changed', async () => {
  // Everybody can read this file, and nobody can change its mode.
  expect(await restrictToOwner('/proc/self/status')).toBe('open');
});

test('a link stays a link, and its target is changed', async () => {
  const linkTarget = join(dir, 'kept.json');
  await mkdir(dirname(path));
  await writeFile(linkTarget, JSON.stringify({ profiles: { a: profile, b: profile } }));
  await symlink(linkTarget, path);
  await changeConfig(path, (config) => withoutProfile(config, 'a'));
  expect([(await lstat(path)).isSymbolicLink(), await readlink(path)]).toEqual([true, linkTarget]);
  expect(await readConfig(linkTarget)).toEqual({ profiles: { b: profile } });
});

test('a file that an editor began with a byte order mark is read', async () => {
  await changeConfig(path, () => ({ profiles: {} }));
  await writeFile(path, `\uFEFF${JSON.stringify({ profiles: { a: profile } })}`);
  expect(await readConfig(path)).toEqual({ profiles: { a: profile } });
});

test('a file that cannot be read is named', async () => {
  await mkdir(path, { recursive: true });
  await expect(readConfig(path)).rejects.toThrow(`${path}, the configuration of pd, cannot be read: EISDIR`);
});

test.each(['', 'null', '{"profiles":[{}]}', '{"profiles":{"a":{"url":"x"}}}'])(
  'an invalid config file %j is refused with a hint how to fix it',
  async (text) => {
    await changeConfig(path, () => ({ profiles: {} }));
    await writeFile(path, text);
    await expect(readConfig(path)).rejects.toMatchObject({ hint: 'Remove it, and run `pd login`.' });
  },
);
