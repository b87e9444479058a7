// The builder keeps the port's contract, and builds components of packages even while the registry is unreachable.
import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { describePackages } from '../packages.contract.ts';
import type { Built, Program } from '../packages.ts';
import { LocalRegistry } from './fixture/local-registry.ts';
import { NpmPackages } from './npm-packages.ts';

jest.setTimeout(60_000);

let cacheDir = '';
let registry: LocalRegistry;
const opened: NpmPackages[] = [];

beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'packages-'));
  registry = await LocalRegistry.start();
  registry.publish({ name: 'left', version: '1.2.0' }, { 'index.js': 'module.exports = "left 1";' });
  registry.publish({ name: 'left', version: '2.0.0' }, { 'index.js': 'module.exports = "left 2";' });
});

afterAll(async () => {
  for (const one of opened) await one.close();
  await registry.close();
  await rm(cacheDir, { recursive: true });
});

function open(dir = cacheDir): NpmPackages {
  const made = new NpmPackages({ cacheDir: dir, environment: { npm_config_registry: registry.url, HOME: dir } });
  opened.push(made);
  return made;
}

async function built(packages: NpmPackages, program: Program, lock?: string): Promise<Built> {
  const outcome = await packages.build(program, lock === undefined ? {} : { lock });
  if (outcome.kind !== 'built') throw new Error(JSON.stringify(outcome));
  return outcome;
}

describePackages('NpmPackages', async () => open());

describe('a component that is a file of a package', () => {
  const program = { code: 'export { default } from "@pipedream/app@1.0.0/sources/new/new.mjs"' };
  let first: Built;

  beforeAll(async () => {
    const source = `import left from "left"; import { ConfigurationError } from "@pipedream/platform"; import forgotten from "forgotten";
      export default { key: "app-new", name: left + forgotten, version: "0.0.1", run() { throw new ConfigurationError("no"); } };`;
    const dependencies = { '@pipedream/platform': '^3.0.0', left: '^2.0.0' };
    registry.publish({ name: '@pipedream/app', version: '1.0.0', dependencies }, { 'sources/new/new.mjs': source });
    registry.publish({ name: 'forgotten', version: '0.1.0' }, { 'index.js': 'module.exports = " and forgotten";' });
    first = await built(open(), program);
  });

  it('is built with its imports, with undeclared packages, and with those that the service provides', () => {
    expect(first.packages.map(({ name, version }) => `${name}@${version}`)).toEqual([
      '@pipedream/app@1.0.0',
      'forgotten@0.1.0',
      'left@2.0.0',
    ]);
    expect(first.bundle.js).toContain('ConfigurationError');
    expect(registry.requests.filter((one) => one.includes('platform'))).toEqual([]);
  });

  it('is built from its lock without the registry, also with only the cache of npm left', async () => {
    registry.faults = { down: true };
    try {
      expect(await built(open(), program, first.lock ?? '')).toEqual(first);
      await rm(join(cacheDir, 'packages/trees'), { recursive: true });
      await rm(join(cacheDir, 'compiled'), { recursive: true });
      expect(await built(open(), program, first.lock ?? '')).toEqual(first);
    } finally {
      registry.faults = {};
    }
  });

  it('is not built without the registry when nothing of it is cached, and the packages are named', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'packages-'));
    registry.faults = { down: true };
    try {
      expect(await open(dir).build(program, { lock: first.lock ?? '' })).toMatchObject({
        kind: 'failed',
        again: true,
        error: { message: expect.stringMatching(/@\d+\.\d+\.\d+/) as string },
      });
    } finally {
      registry.faults = {};
      await rm(dir, { recursive: true });
    }
  });

  it('is refused with a lock that cannot be read', async () => {
    const message = expect.stringContaining('deploy its code instead') as string;
    for (const lock of ['', 'AAAA', Buffer.from('{}').toString('base64')])
      expect(await open().build(program, { lock })).toMatchObject({ kind: 'refused', error: { message } });
  });

  it('is built from sound files: a damaged tree is installed again', async () => {
    const [tree = ''] = await readdir(join(cacheDir, 'packages/trees'));
    const file = join(cacheDir, 'packages/trees', tree, 'node_modules/left/index.js');
    await appendFile(file, '// changed');
    await rm(join(cacheDir, 'compiled'), { recursive: true });
    expect(await built(open(), program, first.lock ?? '')).toEqual(first);
    expect(await readFile(file, 'utf8')).toBe('module.exports = "left 2";');
  });
});
