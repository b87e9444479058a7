import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const load = (name: string): Promise<unknown> => import(new URL(`../../../deploy/local/${name}`, import.meta.url).href);
const { isInstalled } = (await load('installed.mjs')) as { isInstalled(rootDir: string): boolean };
const { fingerprint } = (await load('sources.mjs')) as { fingerprint(rootDir: string): string };

let rootDir: string;
beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), 'set-up-'));
});
afterEach(() => rm(rootDir, { recursive: true }));

const write = async (path: string, text: string): Promise<string> => {
  await mkdir(dirname(join(rootDir, path)), { recursive: true });
  await writeFile(join(rootDir, path), text);
  return join(rootDir, path);
};

describe('dependencies', () => {
  const a = { version: '1.0.0', integrity: 'sha512-a' };
  const lock = (path: string, packages: object): Promise<string> => write(path, JSON.stringify({ packages }));
  const wanted = (packages: object): Promise<string> =>
    lock('package-lock.json', { '': { name: 'root' }, ...packages });
  const found = (packages: object): Promise<string> => lock('node_modules/.package-lock.json', packages);

  test('are not installed in a fresh clone', async () => {
    await wanted({ 'node_modules/a': a });
    expect(isInstalled(rootDir)).toBe(false);
  });

  test('are installed when npm has recorded the locked version of each', async () => {
    await wanted({ 'node_modules/a': a });
    await found({ 'node_modules/a': a });
    expect(isInstalled(rootDir)).toBe(true);
  });

  test.each([
    ['another version', { ...a, version: '1.0.1' }],
    ['the same version with other content', { ...a, integrity: 'sha512-b' }],
  ])('are not installed when the lock file has %s', async (_, other) => {
    await wanted({ 'node_modules/a': other });
    await found({ 'node_modules/a': a });
    expect(isInstalled(rootDir)).toBe(false);
  });

  test('of this project count as installed, so that a start does not install them again', () => {
    expect(isInstalled(fileURLToPath(new URL('../../..', import.meta.url)))).toBe(true);
  });

  test('for other platforms may be missing', async () => {
    await wanted({ 'node_modules/a': a, 'node_modules/a-win32': { ...a, optional: true } });
    await found({ 'node_modules/a': a });
    expect(isInstalled(rootDir)).toBe(true);
  });
});

describe('the fingerprint of the build', () => {
  beforeEach(async () => {
    await write('libs/log/log.ts', 'a');
    await write('tsconfig.json', '{}');
  });

  test('stays the same when nothing changes', () => {
    expect(fingerprint(rootDir)).toBe(fingerprint(rootDir));
  });

  test.each([
    'libs/log/new.ts',
    'apps/standalone/main.ts',
    'test/bench/main.ts',
    'deploy/local/step.mjs',
    'package-lock.json',
  ])('changes when %s appears', async (path) => {
    const before = fingerprint(rootDir);
    await write(path, 'x');
    expect(fingerprint(rootDir)).not.toBe(before);
  });

  test('changes when a source file changes without changing its size', async () => {
    const before = fingerprint(rootDir);
    await utimes(await write('libs/log/log.ts', 'b'), 1, 1);
    expect(fingerprint(rootDir)).not.toBe(before);
  });

  test('changes when a source file is removed', async () => {
    const before = fingerprint(rootDir);
    await rm(join(rootDir, 'libs/log/log.ts'));
    expect(fingerprint(rootDir)).not.toBe(before);
  });

  test('ignores specs and contracts', async () => {
    const before = fingerprint(rootDir);
    await write('libs/log/log.spec.ts', 'x');
    await write('libs/log/log.contract.ts', 'x');
    expect(fingerprint(rootDir)).toBe(before);
  });
});
