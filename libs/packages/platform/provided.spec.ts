// The provided packages can be bundled, and have the exports that components import.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { bundleComponent, component } from './fixture/components.ts';
import * as platform from './platform.ts';
import { providedDigest, providedEntries, versionsInside } from './provided.ts';
import { defineAction, defineSource } from './types.ts';

/** The files that are read to bundle all entries. */
async function filesRead(): Promise<readonly string[]> {
  const entryPoints = [...new Set(Object.values(providedEntries))];
  const { metafile } = await build({
    entryPoints,
    bundle: true,
    write: false,
    outdir: 'out',
    format: 'cjs',
    platform: 'node',
    metafile: true,
  });
  return Object.keys(metafile.inputs);
}

test('every entry is there, and bundling it reads nothing but itself and its dependencies', async () => {
  const read = await filesRead();
  expect(read.length).toBeGreaterThan(50);
  expect(read.filter((path) => !/^(libs\/packages\/platform|node_modules)\//.test(path))).toEqual([]);
});

test('the digest changes with the text and the name of each file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'provided-'));
  await mkdir(join(folder, 'below'));
  const digests = new Set<string>();
  for (const [name, text] of [
    ['a.ts', '1'],
    ['a.ts', '2'],
    ['below/b.ts', '2'],
    ['below/b.ts', ''],
  ] as const) {
    await writeFile(join(folder, name), text);
    digests.add(providedDigest(folder));
  }
  await writeFile(join(folder, 'a.map'), '');
  digests.add(providedDigest(folder));
  expect(digests.size).toBe(4);
  await rm(folder, { recursive: true });
});

test('the digest changes with the version of each package that becomes a part of the bundle', async () => {
  const inside = versionsInside();
  const folders = new Set((await filesRead()).flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []));
  expect(folders).toContain('node_modules/axios');
  for (const folder of folders) expect([...inside.keys()]).toContain(resolve(folder, 'package.json'));
  const versions = [...inside.values()];
  const updated = versions.map((version) => version.replace(/^(follow-redirects) .*/, '$1 99.0.0'));
  expect(providedDigest()).toBe(providedDigest(undefined, versions.toReversed()));
  expect(providedDigest(undefined, updated)).not.toBe(providedDigest());
});

test.each([
  ["import { axios, DEFAULT_POLLING_SOURCE_TIMER_INTERVAL as seconds } from '@pipedream/platform';", '900function'],
  ["import platform from '@pipedreamhq/platform'; const { axios } = platform, seconds = 900;", '900function'],
  ["const { axios, HTTP_METHODS } = require('@pipedream/platform'); const seconds = HTTP_METHODS.length;", '7function'],
])('is imported as components import it: %s', async (before, expected) => {
  const text = await bundleComponent(component('return `${seconds}${typeof axios}`', before));
  const module: { exports: { default?: { run(event: unknown): Promise<void> } } } = { exports: {} };
  const require = (name: string): unknown => process.getBuiltinModule(name);
  new Function('require', 'module', 'exports', text)(require, module, module.exports);
  const emitted: unknown[] = [];
  await module.exports.default?.run.call({ $emit: (event: unknown) => emitted.push(event) }, {});
  expect(emitted).toEqual([expected]);
});

test('defineSource and defineAction return the component', () => {
  const definition = { name: 'a' };
  expect(defineSource(definition)).toBe(definition);
  expect(defineAction(definition)).toBe(definition);
});

test('a ConfigurationError has a name, and a stack only on request', () => {
  const plain = new platform.ConfigurationError('Set a city');
  expect([plain.name, plain.message, plain.stack]).toEqual([
    'ConfigurationError',
    'Set a city',
    'ConfigurationError: Set a city',
  ]);
  expect(new platform.ConfigurationError('Set a city', true).stack).toContain('provided.spec');
});

test('database apps can spread the sql methods, and calling one they must define names it', () => {
  const app = { ...platform.sqlProxy.methods, ...platform.sqlProp.methods };
  expect(app.proxyAdapter({ sql: 'SELECT ?', values: [1] })).toEqual({ query: 'SELECT ?', params: [1] });
  expect(() => app.executeQuery()).toThrow(/must define a method executeQuery/);
});

test('$send validates what a destination accepts', () => {
  const { emit, http } = platform.sendTypeMap;
  expect([emit.is({ raw_event: {} }), emit.is({ event: {} })]).toEqual([true, false]);
  expect([http.is({ method: 'GET', url: 'u' }), http.is({ method: 'get', url: 'u' })]).toEqual([true, false]);
  expect(() => platform.$send['http']?.()).toThrow(platform.ConfigurationError);
});
