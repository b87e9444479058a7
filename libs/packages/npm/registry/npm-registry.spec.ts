// A component's key is found in a package, built in its version, and found again while the registry is unreachable.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { reexportCodeOf } from '../../../domain/component/program/registry-component.ts';
import { LocalRegistry } from '../fixture/local-registry.ts';
import { NpmPackages } from '../npm-packages.ts';

jest.setTimeout(60_000);

let cacheDir: string;
let registry: LocalRegistry;
let packages: NpmPackages;

beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'registry-'));
  registry = await LocalRegistry.start();
  const app = { 'acme.app.mjs': 'export default { type: "app", app: "acme" };' };
  const source =
    'import app from "../../acme.app.mjs"; export default { key: "acme-new", name: "New", props: { app } };';
  registry.publish({ name: '@pipedream/acme', version: '0.1.0' }, app);
  registry.publish({ name: '@pipedream/acme', version: '0.2.0' }, { ...app, 'sources/new/new.mjs': source });
  packages = new NpmPackages({ cacheDir, environment: { npm_config_registry: registry.url, HOME: cacheDir } });
});

afterAll(async () => {
  await packages?.close();
  await registry.close();
  await rm(cacheDir, { recursive: true });
});

test('the latest version of a package says which components it has, and they can be built', async () => {
  const outcome = await packages.components('@pipedream/acme');
  const path = 'sources/new/new.mjs';
  expect(outcome).toEqual({
    kind: 'found',
    package: { name: '@pipedream/acme', version: '0.2.0' },
    components: [{ key: 'acme-new', type: 'source', name: 'New', description: '', path }],
  });
  const built = await packages.build({ code: reexportCodeOf({ name: '@pipedream/acme', version: '0.2.0', path }) });
  expect(built).toMatchObject({ kind: 'built', packages: [{ name: '@pipedream/acme', version: '0.2.0' }] });
});

test('a package that the registry does not have is refused by name', async () => {
  expect(await packages.components('@pipedream/nobody')).toMatchObject({
    kind: 'refused',
    error: { message: expect.stringContaining('@pipedream/nobody') },
  });
});

test('without the registry, packages found before are found, others fail by name', async () => {
  registry.faults = { down: true };
  try {
    expect(await packages.components('@pipedream/acme')).toMatchObject({ kind: 'found' });
    expect(await packages.components('@pipedream/other')).toMatchObject({
      kind: 'failed',
      again: true,
      error: { message: expect.stringContaining('@pipedream/other') },
    });
  } finally {
    registry.faults = {};
  }
});
