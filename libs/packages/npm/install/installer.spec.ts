// Packages are installed as by npm, but without scripts, and within limits that stop hostile packages and registries.
import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalRegistry } from '../fixture/local-registry.ts';
import { sweep } from '../trees/sweep.ts';
import { installLimits } from './installer-process.ts';
import { Installer } from './installer.ts';
import type { InstalledTree, InstallerOptions, InstallOutcome } from './installer.ts';
import { parseSpecifier } from './specifiers.ts';

jest.setTimeout(60_000);

let registry: LocalRegistry;
let directory: string;
const open: Installer[] = [];

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'installer-')));
  registry = await LocalRegistry.start();
});

afterEach(async () => {
  for (const one of open.splice(0)) one.close();
  await registry.close();
  await rm(directory, { recursive: true, force: true });
});

function installer(changes: Partial<InstallerOptions> = {}): Installer {
  const made = new Installer({
    directory,
    environment: { npm_config_registry: registry.url, HOME: directory },
    folder: directory,
    egressAllow: [],
    provided: ['@pipedream/platform'],
    ...changes,
  });
  open.push(made);
  return made;
}

function install(from: Installer, names: readonly string[], lock: string | null = null): Promise<InstallOutcome> {
  const specifiers = names.flatMap((name) => parseSpecifier(name) ?? []);
  expect(specifiers).toHaveLength(names.length);
  return from.install(specifiers, lock, 'o_1');
}

async function installed(
  from: Installer,
  names: readonly string[],
  lock: string | null = null,
): Promise<InstalledTree> {
  const outcome = await install(from, names, lock);
  if (outcome.kind !== 'installed') throw new Error(outcome.message);
  return outcome;
}

const fileOf = ({ folder }: InstalledTree, path: string): Promise<string> =>
  readFile(join(folder, 'node_modules', path), 'utf8');

/** The incomplete files on disk. */
async function unfinished(): Promise<readonly string[]> {
  const paths = await readdir(directory, { recursive: true });
  return paths.filter((path) => /^trees\/draft-|\/tmp\//.test(path));
}

const left = (version: string): { name: string; version: string } => ({ name: 'left', version });

describe('an install', () => {
  it('brings packages with what they need, two ranges of one package side by side, and locks all of it', async () => {
    registry.publish(left('1.0.0'), { 'index.js': 'one' });
    registry.publish(left('2.0.0'), { 'index.js': 'two' });
    registry.publish(
      { name: '@scope/user', version: '3.1.0', dependencies: { left: '^1.0.0' } },
      { 'main.js': 'user' },
    );
    const made = await installed(installer(), ['left', 'left@^1', '@scope/user/main.js']);
    expect(await fileOf(made, 'left/index.js')).toBe('two');
    const alias = Object.entries(made.dependencies).find(([, range]) => range === 'npm:left@^1')?.[0] ?? '';
    expect(await fileOf(made, `${alias}/index.js`)).toBe('one');
    expect(await fileOf(made, '@scope/user/node_modules/left/index.js')).toBe('one');
    expect(made.lock).toContain('sha512-');
    expect(made.lock).not.toContain(registry.url);
  });

  it('gives the same tree from its lock, also after newer releases and without the registry', async () => {
    registry.publish(left('1.0.0'), { 'index.js': 'one' });
    const { lock } = await installed(installer(), ['left']);
    registry.publish(left('1.1.0'), { 'index.js': 'newer' });
    registry.faults = { down: true };
    const again = await installed(installer(), ['left'], lock);
    expect([again.lock, await fileOf(again, 'left/index.js')]).toEqual([lock, 'one']);
    await rm(join(directory, 'trees'), { recursive: true });
    expect(await fileOf(await installed(installer(), ['left'], lock), 'left/index.js')).toBe('one');
  });

  it('uses cached versions without the registry, and otherwise names package and range', async () => {
    registry.publish(left('1.0.0'), { 'index.js': 'one' });
    await installed(installer(), ['left@^1']);
    registry.faults = { down: true };
    expect(await fileOf(await installed(installer(), ['left@^1']), 'left/index.js')).toBe('one');
    expect(await install(installer(), ['right@^4'])).toMatchObject({
      kind: 'failed',
      again: true,
      message: expect.stringContaining('right@^4') as string,
    });
  });

  it('says which package or version does not exist', async () => {
    registry.publish(left('1.0.0'), {});
    expect(await install(installer(), ['right'])).toMatchObject({
      kind: 'refused',
      message: 'The registry has no package for right@latest',
    });
    expect(await install(installer(), ['left@^9'])).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('left@^9') as string,
    });
  });

  it('never fetches what the service provides itself, for any version', async () => {
    registry.publish({ name: 'user', version: '1.0.0', dependencies: { '@pipedream/platform': '^1.2.0' } }, {});
    const { lock } = await installed(installer(), ['user']);
    expect(JSON.parse(lock)).toMatchObject({ packages: { 'node_modules/user': { version: '1.0.0' } } });
    expect(lock).not.toContain('999.0.0');
    expect(registry.requests.filter((one) => one.includes('platform'))).toEqual([]);
    await rm(join(directory, 'trees'), { recursive: true });
    expect((await installed(installer(), ['user'], lock)).lock).toBe(lock);
  });

  it('brings a package that has the name of what every object has', async () => {
    registry.publish({ name: 'constructor', version: '1.0.0' }, { 'index.js': 'x' });
    const made = await installed(installer(), ['constructor']);
    expect(await fileOf(made, `${Object.keys(made.dependencies)[0]}/index.js`)).toBe('x');
  });

  it('sends the token of the project to its registry, and shows it nowhere', async () => {
    registry.publish(left('1.0.0'), {});
    registry.faults = { token: 'npm_abcdefghijklmnopqrstuvwxyz0123456789' };
    const environment = { HOME: directory };
    await writeFile(join(directory, '.npmrc'), registry.npmrc('wrong-secret'));
    const refused = await install(installer({ environment }), ['left']);
    expect(refused).toMatchObject({ kind: 'failed', message: expect.stringContaining('check the token') as string });
    expect(JSON.stringify(refused)).not.toContain('wrong-secret');
    await writeFile(join(directory, '.npmrc'), registry.npmrc(registry.faults.token));
    await installed(installer({ environment }), ['left']);
  });

  it('leaves its tree and no temporary folder', async () => {
    registry.publish(left('1.0.0'), {});
    await installed(installer(), ['left']);
    expect((await readdir(join(directory, 'trees'))).filter((name) => name.startsWith('draft'))).toEqual([]);
  });
});

describe('an install that is refused', () => {
  it('has the disk swept, as every other', async () => {
    const old = join(directory, 'trees/draft-of-a-dead-process');
    await mkdir(old, { recursive: true });
    const at = new Date(Date.now() - 3_600_000);
    await utimes(old, at, at);
    expect(await install(installer(), ['left'])).toMatchObject({ kind: 'refused' });
    while (existsSync(old)) await sleep(10);
  });

  it('leaves nothing of the packages that were under way, nor of those that come after', async () => {
    const dependencies = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`p${at}`, '1.0.0']));
    registry.publish({ ...left('1.0.0'), dependencies }, { '../escaped.js': 'x' });
    for (const name of Object.keys(dependencies)) {
      registry.publish({ name, version: '1.0.0' }, { 'index.js': randomBytes(4 * 1024 * 1024) });
    }
    expect(await install(installer(), ['left'])).toMatchObject({ kind: 'refused' });
    expect(await unfinished()).toEqual([]);
  });
});

describe('what is swept', () => {
  it('is fetched again, with a lock and without one', async () => {
    registry.publish(left('1.0.0'), { 'index.js': 'x' });
    const { lock } = await installed(installer(), ['left']);
    for (const known of [null, lock]) {
      await sweep(directory, { treeBytes: 0, npmBytes: 0 });
      expect(await readdir(join(directory, 'trees'))).toEqual([]);
      expect(await fileOf(await installed(installer(), ['left'], known), 'left/index.js')).toBe('x');
    }
  });
});

describe('an installer that is killed', () => {
  it('leaves no tree, is retried once and then reported; the next install is not affected', async () => {
    registry.publish(left('1.0.0'), { 'index.js': 'x' });
    registry.faults = { dripMs: 1_000 };
    const from = installer();
    const killed = new Set<number>();
    const outcome = install(from, ['left']);
    while (killed.size < 2) {
      const asked = registry.requests.filter((one) => one.endsWith('.tgz')).length;
      const [pid] = from.processIds.filter((one) => !killed.has(one));
      if (pid !== undefined && asked > killed.size) {
        killed.add(pid);
        process.kill(pid, 'SIGKILL');
      }
      await sleep(10);
    }
    expect(await outcome).toMatchObject({ kind: 'failed', again: true });
    expect([await readdir(join(directory, 'trees')), await unfinished()]).toEqual([[], []]);
    registry.faults = {};
    expect(await fileOf(await installed(from, ['left']), 'left/index.js')).toBe('x');
  });
});

describe('a hostile package', () => {
  it('runs no script', async () => {
    const mark = join(directory, 'ran');
    const scripts = { preinstall: `touch ${mark}`, install: `touch ${mark}`, postinstall: `touch ${mark}` };
    registry.publish({ ...left('1.0.0'), scripts, hasInstallScript: true }, { 'index.js': 'x' });
    const made = await installed(installer(), ['left']);
    expect([await fileOf(made, 'left/index.js'), existsSync(mark)]).toEqual(['x', false]);
  });

  it('leaves neither links nor files outside of its folder', async () => {
    registry.publish(left('1.0.0'), { 'index.js': 'x', etc: { link: '/etc' }, passwd: { hardLink: '/etc/passwd' } });
    const made = await installed(installer(), ['left']);
    expect((await readdir(join(made.folder, 'node_modules/left'))).sort()).toEqual(['index.js', 'package.json']);
    registry.publish(left('2.0.0'), { '../../../../../escaped.js': 'x' });
    expect(await install(installer(), ['left@2'])).toMatchObject({ kind: 'refused' });
    expect(existsSync(join(directory, 'escaped.js')) || existsSync(join(directory, '../escaped.js'))).toBe(false);
  });

  it('is given up above 200 MiB and above 40,000 files, while it is unpacked', async () => {
    registry.publish(left('1.0.0'), { 'large.js': Buffer.alloc(installLimits.unpackedBytes + 1) });
    expect(await install(installer(), ['left@1'])).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('200 MiB') as string,
    });
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`${at}.js`, '']));
    registry.publish(left('2.0.0'), many);
    expect(await install(installer(), ['left@2'])).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('40000 files') as string,
    });
    expect([await readdir(join(directory, 'trees')), await unfinished()]).toEqual([[], []]);
  }, 60_000);

  it('is given up above 40,000 folders, however few files stand in them', async () => {
    const deep = Object.fromEntries(Array.from({ length: 45 }, (_, at) => [`${at}/${'a/'.repeat(1_000)}x.js`, '']));
    registry.publish(left('1.0.0'), deep);
    expect(await install(installer(), ['left'])).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('40000 files and folders') as string,
    });
  });

  it('is given up when more is received for it than is kept', async () => {
    registry.publish(left('1.0.0'), { 'index.js': randomBytes(3 * 1024 * 1024) });
    const limits = { ...installLimits, fetchedBytes: 2 * 1024 * 1024 };
    expect(await install(installer({ limits }), ['left'])).toEqual({
      kind: 'refused',
      message: 'Its packages, and what the registry says of them, are more than 2 MiB: import fewer packages',
    });
    expect(await unfinished()).toEqual([]);
  });

  it('whose files cannot stand on a disk is refused, and the registry is not blamed', async () => {
    registry.publish(left('1.0.0'), { a: 'x', 'a/b.js': 'y' });
    registry.publish(left('2.0.0'), { [`${'n'.repeat(300)}.js`]: 'x' });
    for (const range of ['1', '2']) {
      expect(await install(installer(), [`left@${range}`])).toEqual({
        kind: 'refused',
        message: `left@${range}.0.0 has files that cannot be written: a name is too long, or a file stands where another has its folder`,
      });
    }
  });

  it('is unpacked once: what is in it is never more than was counted', async () => {
    const limits = { ...installLimits, unpackedBytes: 1024 * 1024 };
    registry.publish(left('1.0.0'), { 'large.js': Buffer.alloc(4 * 1024 * 1024) }, 2);
    const made = await installed(installer({ limits }), ['left']);
    expect(existsSync(join(made.folder, 'node_modules/left/large.js'))).toBe(false);
  });

  it('that needs more memory than an installer may have ends that process alone, and says so', async () => {
    // The real limit is 1 GiB; a lower one is exceeded by a smaller package.
    const limits = { ...installLimits, dataKiB: (512 + 192) * 1024 };
    const from = installer({ limits });
    const files = Array.from({ length: 12 }, (_, at) => [`${at}.js`, Buffer.alloc(15 * 1024 * 1024)] as const);
    registry.publish(left('1.0.0'), Object.fromEntries(files));
    expect(await install(from, ['left'])).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('ran out of memory') as string,
    });
    registry.publish({ name: 'right', version: '1.0.0' }, { 'index.js': 'x' });
    expect(await fileOf(await installed(from, ['right']), 'right/index.js')).toBe('x');
  }, 60_000);

  it.each([
    ['git', 'git+https://github.com/npm/left.git'],
    ['a place of its own', 'http://127.0.0.1:9/left.tgz'],
    ['a file of this machine', 'file:/etc'],
  ])('is not installed from %s', async (_what, place) => {
    registry.publish({ name: 'user', version: '1.0.0', dependencies: { left: place } }, {});
    expect(await install(installer(), ['user'])).toMatchObject({
      kind: expect.stringMatching(/refused|failed/) as string,
    });
  });
});

describe('a hostile registry', () => {
  it('that lies about hashes installs nothing', async () => {
    registry.publish(left('1.0.0'), { 'index.js': 'x' });
    registry.faults = { wrongHashes: true };
    expect(await install(installer(), ['left'])).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('hash') as string,
    });
    expect(await readdir(join(directory, 'trees'))).toEqual([]);
  });

  it('that drips is given up in time', async () => {
    registry.publish(left('1.0.0'), { 'index.js': 'x' });
    registry.faults = { dripMs: 1_000 };
    const limits = { ...installLimits, timeMs: 2_500 };
    expect(await install(installer({ limits }), ['left'])).toMatchObject({
      kind: 'failed',
      again: true,
      message: expect.stringContaining('within 2.5 s') as string,
    });
    expect(await unfinished()).toEqual([]);
  }, 60_000);

  it.each(['redirectTo', 'tarballsAt'] as const)('leads to no private address by %s', async (fault) => {
    let hits = 0;
    const inside = createServer((_request, response) => void response.end(String((hits += 1))));
    await new Promise<void>((listening) => inside.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`;
    registry.publish(left('1.0.0'), {});
    registry.faults = { [fault]: url };
    try {
      expect(await install(installer(), ['left'])).toMatchObject({
        kind: 'failed',
        again: false,
        message: expect.stringContaining('not a public address') as string,
      });
      expect(hits).toBe(0);
    } finally {
      inside.close();
    }
  });
});
