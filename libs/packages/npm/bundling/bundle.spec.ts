// A bundle contains the program's files and its packages, no other files of the machine, and nothing an isolate lacks.
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { jest } from '@jest/globals';
import type { Program } from '../../packages.ts';
import { hashOfFile, newDraft, placeTree, treeFolder } from '../trees/tree.ts';
import { bundle } from './bundle.ts';
import type { BundleResult, BundleTree } from './job.ts';

jest.setTimeout(60_000);

let directory = '';
beforeEach(async () => (directory = await realpath(await mkdtemp(join(tmpdir(), 'bundle-')))));
afterEach(() => rm(directory, { recursive: true }));

/** A folder of packages as an install leaves it. */
async function treeOf(files: Readonly<Record<string, string>>): Promise<BundleTree> {
  const draft = await newDraft(directory);
  const hashes: Record<string, string> = {};
  const names = new Set<string>();
  for (const [path, text] of Object.entries(files)) {
    const place = join('node_modules', path);
    await mkdir(dirname(join(draft, place)), { recursive: true });
    await writeFile(join(draft, place), text);
    hashes[place] = hashOfFile(Buffer.from(text));
    names.add(
      path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  }
  const folder = treeFolder(directory, 'a'.repeat(64));
  await placeTree(draft, folder, { bytes: 1, hashes });
  return { folder, dependencies: Object.fromEntries([...names].map((name) => [name, 'latest'])) };
}

const made = (program: Program | string, tree: BundleTree | null = null): Promise<BundleResult> =>
  bundle({ program: typeof program === 'string' ? { code: program } : program, tree });

/** What a bundle exports, evaluated as an isolate would. */
function exportsOf(result: BundleResult): unknown {
  if (result.kind !== 'compiled') throw new Error(JSON.stringify(result));
  const module = { exports: {} as { default?: unknown } };
  const builtins: Record<string, unknown> = { net: {}, http: {} };
  const require = (name: string): unknown => {
    if (name in builtins) return builtins[name];
    throw new Error(`Cannot find module '${name}'`);
  };
  new Function('module', 'exports', 'require', result.compiled.js)(module, module.exports, require);
  return module.exports.default ?? module.exports;
}

const refusal = (result: BundleResult): string => {
  if (result.kind !== 'refused') throw new Error(result.kind);
  return result.error.message;
};

describe('a program of several files', () => {
  const entry = 'sources/new/new.mjs';
  it('imports its own files by relative paths, with and without their endings, in TypeScript and JSON', async () => {
    const files = {
      'app.ts': 'export const app: string = "app";',
      'sources/common/base.mjs': 'import { a } from "./constants"; export default { a };',
      'sources/common/constants.ts': 'export enum A { One = 1 } export const a: number = A.One;',
      'sources/new/test.json': '{"b":2}',
    };
    const code = `import { app } from '../../app.js'; import base from '../common/base.mjs'; import t from './test.json';
      export default { app, base, t };`;
    expect(exportsOf(await made({ code, entry, files }))).toEqual({ app: 'app', base: { a: 1 }, t: { b: 2 } });
  });

  it('reads no file that was not given, and names the file and line of an error', async () => {
    for (const path of ['../../../../etc/passwd', '/etc/passwd', './missing.mjs', 'file:///etc/passwd']) {
      expect(refusal(await made({ code: `import a from '${path}'; export default a;`, entry }))).toContain(path);
    }
    const broken = { code: 'import "../a.mjs";', entry, files: { 'sources/a.mjs': 'const a = 1;\nconst b = %%;' } };
    expect(await made(broken)).toMatchObject({
      kind: 'refused',
      error: { line: 2, message: expect.stringMatching(/^sources\/a\.mjs: /) as string },
    });
  });
});

it.each(['../', './a/', 'a/', '@a/b/', '/', 'a@1/'])(
  'refuses an import of %s again and again at once',
  async (part) => {
    const path = part.repeat(300_000);
    const message = refusal(await made(`import a from '${path}'; export default a;`));
    expect(message).toContain('longer than 4096 characters');
    expect(message.length).toBeLessThan(1_000);
  },
);

it('refuses a named import that a builtin module does not have, where the author wrote it', async () => {
  const refused = async (code: string): Promise<unknown> => {
    const result = await made(code);
    return result.kind === 'refused' ? [result.error.name, result.error.message, result.error.line] : result.kind;
  };
  const message = 'node:crypto has no export named "nope"';
  expect(await refused('import fs from "fs";\nimport { nope } from "node:crypto"; export default [fs, nope]')).toEqual([
    'ImportError',
    message,
    2,
  ]);
  expect(await refused('export { nope } from "node:crypto"; export default 1')).toEqual(['ImportError', message, 1]);
  // TypeScript's types are no imports, and the exports of other modules are unknown here.
  for (const fine of [
    'import { Hash, createHash } from "node:crypto"; const h: Hash = createHash("md5"); export default h',
    'import { Nope } from "node:crypto"; const h: Nope = 1; export default h',
    'import crypto, * as all from "crypto"; import { isString } from "util"; export default [crypto.nope, all.nope, isString]',
    'import { connect } from "net"; import { EventEmitter, once, default as d } from "events"; export default [connect, EventEmitter, once, d]',
  ])
    expect(await refused(fine)).toBe('compiled');
});

describe('packages', () => {
  it('are reported by their imported names when not installed yet', async () => {
    const code = `import a from 'axios@^1.2.0'; import b from '@scope/b/c.mjs'; const c = () => require('lodash');
      import { axios } from '@pipedream/platform'; import 'fs'; export default [a, b, c, axios];`;
    expect(await made(code)).toEqual({ kind: 'needs', specifiers: ['axios@^1.2.0', '@scope/b/c.mjs', 'lodash'] });
  });

  it('may have the names of what every object has', async () => {
    const code = `import a from 'constructor'; import b from 'toString@1'; export default [a, b];`;
    expect(await made(code)).toEqual({ kind: 'needs', specifiers: ['constructor', 'toString@1'] });
  });

  it('are bundled with their imports, also component files that their package does not export', async () => {
    const tree = await treeOf({
      '@pipedream/app/package.json': '{"name":"@pipedream/app","exports":{".":"./app.mjs"}}',
      '@pipedream/app/app.mjs': 'export default "app";',
      '@pipedream/app/sources/new/new.mjs':
        'import one from "one"; import app from "../../app.mjs"; export default { one, app };',
      'one/package.json': '{"name":"one","main":"lib/main.js"}',
      'one/lib/main.js': 'try { require("encoding") } catch {} module.exports = require("./data.json");',
      'one/lib/data.json': '{"one":1}',
    });
    const result = await made('export { default } from "@pipedream/app@0.1.0/sources/new/new.mjs"', {
      ...tree,
      dependencies: { '@pipedream/app': '0.1.0' },
    });
    expect(exportsOf(result)).toEqual({ one: { one: 1 }, app: 'app' });
    expect(JSON.stringify(result)).not.toContain(directory);
  });

  it('that a transpiler has made give their default export, or all of theirs if they have none, as in Node', async () => {
    const tree = await treeOf({
      'with/index.js': 'exports.__esModule = true; exports.default = "own"; exports.more = 1;',
      'without/index.js': 'Object.defineProperty(exports, "__esModule", { value: true }); exports.RRule = "R";',
      'plain/index.js': 'module.exports = { default: 1 };',
    });
    const imports = `import a from "with"; import b, { RRule } from "without"; import c from "plain"; import * as d from "without";`;
    const strict = '"use strict"; const mode = (function () { return this === undefined; })();';
    const result = await made(`${strict} ${imports} export default [a, b.RRule, RRule, c, d.RRule, mode];`, tree);
    expect(exportsOf(result)).toEqual(['own', 'R', 'R', { default: 1 }, 'R', true]);
  });

  it('that do not export what is imported are refused with what they lack', async () => {
    const tree = await treeOf({
      'he/index.mjs': 'export const encode = 1;',
      'he/package.json': '{"main":"index.mjs"}',
    });
    const refused = async (code: string): Promise<string> => refusal(await made(`${code}; export default a`, tree));
    expect(await refused('import a from "he"')).toBe(
      'he/index.mjs has no default export: import { name } or * as name from it',
    );
    expect(await refused('import { a } from "he"')).toBe('he/index.mjs has no export named "a"');
    expect(await refused('import { nope as a } from "undici"')).toBe('undici has no export named "nope"');
  });

  it('that import an undeclared package ask for it, unless they catch its absence', async () => {
    const tree = await treeOf({
      'a/index.js':
        'import got from "got"; import x from "lodash.get/x.js"; try { require("maybe") } catch {} export default [got, x];',
    });
    expect(await made('import a from "a"; export default a', tree)).toEqual({
      kind: 'needs',
      specifiers: ['got', 'lodash.get'],
    });
  });

  it('with a missing or unexported file are refused with its name', async () => {
    const tree = await treeOf({ 'a/package.json': '{"exports":{".":"./i.js"}}', 'a/i.js': '', 'a/hidden.js': '' });
    expect(refusal(await made('import a from "a/hidden.js"; export default a', tree))).toContain(
      'a has no file ./hidden.js',
    );
  });

  it('cannot read outside of their tree, by paths or by links', async () => {
    await writeFile(join(directory, 'secret.json'), '{"secret":1}');
    const paths = ['../../../../secret.json', join(directory, 'secret.json'), './link.json'];
    for (const path of paths) {
      const tree = await treeOf({ 'a/index.js': `module.exports = require('${path}');` });
      await symlink(join(directory, 'secret.json'), join(tree.folder, 'node_modules/a/link.json'));
      expect(refusal(await made('import a from "a"; export default a', tree))).toMatch(/outside of the packages/);
      await rm(tree.folder, { recursive: true });
    }
  });

  it('tell nobody which files the machine has: what stands outside of them is like what is nowhere', async () => {
    await writeFile(join(directory, 'there.js'), '');
    await writeFile(join(directory, 'there.json'), '{}');
    const up = '../'.repeat(30) + directory.slice(1);
    const answers = async (name: string): Promise<unknown[]> => {
      const all = [];
      for (const path of [join(directory, name), `${up}/${name}`]) {
        const asked = JSON.stringify(path);
        const packages = [
          { 'a/index.js': `module.exports = require(${asked})` },
          { 'a/index.js': `try { module.exports = require(${asked}) } catch {}` },
          { 'a/index.js': `exports.default = () => require.resolve(${asked})` },
          { 'a/index.js': `exports.default = () => import(${asked}).catch(() => {})` },
          { 'a/index.mjs': `import ${asked}; export default 1`, 'a/package.json': '{"main":"index.mjs"}' },
          { 'a/index.js': 'require("./style.css")', 'a/style.css': `@import ${asked};` },
          { 'a/index.js': 'require("./sub")', 'a/sub/package.json': JSON.stringify({ main: `${up}/${name}` }) },
          { 'a/index.js': `require("b/${up}/${name}")`, 'b/index.js': '' },
        ];
        for (const files of packages) {
          const tree = await treeOf(files as Record<string, string>);
          all.push(JSON.stringify(await made('import a from "a"; export default a', tree)).replaceAll(name, 'NAME'));
          await rm(tree.folder, { recursive: true });
        }
      }
      return all;
    };
    // Of the same length, so that the maps are equal too.
    const nowhere = await answers('other.js');
    expect(nowhere[0]).toContain('Could not resolve');
    expect(await answers('there.js')).toEqual(nowhere);
    expect(await answers('there.json')).toEqual(await answers('other.json'));
  });

  it('that changed on disk since their install are not bundled', async () => {
    const tree = await treeOf({ 'a/index.js': 'module.exports = 1;' });
    await writeFile(join(tree.folder, 'node_modules/a/index.js'), 'module.exports = 2;');
    expect(await made('import a from "a"; export default a', tree)).toEqual({ kind: 'damaged' });
  });
});

describe('names that are computed', () => {
  const use = 'import a from "a"; export default a';

  it('mean the files that there are, of the author and of a package, with and without their endings', async () => {
    const files = { 'lang/de.js': 'module.exports = "de"', 'lang/deep/fr.json': '"fr"', 'lang/no.css': '' };
    const own = `const of = (code) => { try { return require('./lang/' + code); } catch (error) { return error.message; } };
      module.exports = ['de', 'de.js', 'deep/fr', 'no.css', 'it'].map(of);`;
    const absent = (name: string): string => `Cannot find module './lang/${name}'`;
    const expected = ['de', 'de', 'fr', absent('no.css'), absent('it')];
    expect(exportsOf(await made({ code: own, files }))).toEqual(expected);
    const other = await treeOf({ 'a/index.js': 'module.exports = 1', 'a/b.js': '' });
    expect(
      exportsOf(await made('import a from "a"; export const b = (c) => require("./" + c); export default a', other)),
    ).toBe(1);
    await rm(other.folder, { recursive: true });
    const packaged = Object.entries(files).map(([path, text]) => [`a/${path}`, text]);
    const tree = await treeOf({ 'a/index.js': own, ...Object.fromEntries(packaged) });
    expect(exportsOf(await made(use, tree))).toEqual(expected);
  });

  it('mean files that compute names as well, also of another folder and in a template', async () => {
    const tree = await treeOf({
      'a/index.js':
        'import("./x"); const n = "b"; /* é */ module.exports = [require(`../a/sub/${n}.js`), require(`./${n}`)]',
      'a/x.js': '',
      'a/b.js': 'module.exports = 1',
      'a/sub/b.js': 'const n = "c"; module.exports = require("./" + n + ".json")',
      'a/sub/c.json': '{"found":true}',
    });
    expect(exportsOf(await made(use, tree))).toEqual([{ found: true }, 1]);
  });

  it('are found where require has another name, as in moment', async () => {
    const text = `function load(code) { let aliased; try { aliased = require; return aliased('./locale/' + code); } catch (error) { return error.message; } }
      const r = require; const other = { r: (name) => name };
      module.exports = [load('de'), load('it'), r("./locale/" + 'de'), other.r('./locale/' + 'de')];`;
    const files = { 'locale/de.js': 'module.exports = "de"' };
    const expected = ['de', "Cannot find module './locale/it'", 'de', './locale/de'];
    const tree = await treeOf({ 'a/index.js': text, 'a/locale/de.js': files['locale/de.js'] });
    expect(exportsOf(await made(use, tree))).toEqual(expected);
    expect(exportsOf(await made({ code: text, files }))).toEqual(expected);
  });

  it('of files that are not there fail when they are used, as in Node', async () => {
    const tree = await treeOf({
      'a/index.js': `let found; for (const name of ['Release', 'Debug']) {
        try { found = require('./build/' + name + '/b'); } catch (error) { found = error.message; } } module.exports = found;`,
      'a/binding.gyp': '{}',
    });
    expect(exportsOf(await made(use, tree))).toBe("Cannot find module './build/Debug/b'");
  });

  it('look nowhere on the machine', async () => {
    await writeFile(join(directory, 'there.js'), '');
    const up = '../'.repeat(30) + directory.slice(1);
    const computed = (folder: string): string => `module.exports = (name) => require('${up}/${folder}' + name + '.js')`;
    const texts = [
      computed(''),
      computed('none/'),
      computed('').replaceAll('..', '\\x2e.'),
      'exports.a = (b) => require("./" + b)',
    ];
    for (const text of texts) {
      expect(await made(text)).toHaveProperty('kind', 'compiled');
      const tree = await treeOf({ 'a/index.js': text });
      const { compiled } = (await made(use, tree)) as { compiled?: { js: string } };
      expect(compiled?.js).not.toContain('there.js"');
      await rm(tree.folder, { recursive: true });
    }
  });
});

describe('what an isolate cannot have', () => {
  const use = 'import a from "a"; export default a';

  it.each([
    [
      'sockets',
      { 'a/index.js': 'import "./lib/c.js"; export default 1', 'a/lib/c.js': 'require("node:net")' },
      'component.js -> a -> a/lib/c.js -> net',
    ],
    [
      'sockets, of a package with a method of its own named fetch',
      { 'a/index.js': 'require("net"); exports.Box = class { async fetch(range) { return this.fetch(range); } }' },
      'component.js -> a -> net',
    ],
    ['processes', { 'a/index.js': 'module.exports = require("child_process")' }, 'component.js -> a -> child_process'],
    [
      'native code',
      { 'a/index.js': 'module.exports = require("./build/a.node")' },
      'component.js -> a -> ./build/a.node',
    ],
    [
      'a loader of native code',
      { 'a/index.js': 'module.exports = require("bindings")("a")', 'bindings/index.js': '' },
      'component.js -> a -> bindings',
    ],
    [
      'native code whose place is found as it runs',
      {
        'a/index.js': 'exports.open = () => require("b").load()',
        'b/binding.gyp': '{}',
        'b/index.js': '/* é */ exports.load = () => {\r\n /* é */ return require(__dirname + "/b.node"); };',
      },
      'component.js -> a -> b -> ./*.node',
    ],
    [
      'native code that comes prebuilt',
      { 'a/index.js': 'module.exports = (name) => require(name)', 'a/prebuilds/linux-x64.node': '' },
      'component.js -> a -> ./*.node',
    ],
  ])('is refused with the chain of imports that leads there: %s', async (_what, files, chain) => {
    expect(refusal(await made(use, await treeOf(files)))).toContain(chain);
  });

  it('may be imported by a package that uses HTTP, or that catches the failure', async () => {
    const client = await treeOf({
      'a/index.js': 'require("http"); require("b"); module.exports = "client"',
      'b/index.js': 'exports.tunnel = () => require("net").connect()',
    });
    expect(exportsOf(await made(use, client))).toBe('client');
    await rm(client.folder, { recursive: true });
    const modern = await treeOf({
      'a/index.js': 'export { ask } from "./ask.js"; import { run } from "./node.js"; export default typeof run',
      'a/ask.js': 'export const ask = () => { if (typeof fetch !== "undefined") return fetch; }',
      'a/node.js': 'export const run = () => import("node:child_process")',
    });
    expect(exportsOf(await made(use, modern))).toBe('function');
    await rm(modern.folder, { recursive: true });
    const careful = await treeOf({ 'a/index.js': 'try { require("./a.node") } catch {} module.exports = "careful"' });
    expect(exportsOf(await made(use, careful))).toBe('careful');
    await rm(careful.folder, { recursive: true });
    const faster = await treeOf({
      'a/index.js': 'let b = require("./slow.js"); try { b = require("b") } catch {} module.exports = b',
      'a/slow.js': 'module.exports = "slow"',
      'b/index.js': 'module.exports = require(__dirname + "/b.node")',
      'b/binding.gyp': '{}',
    });
    expect(exportsOf(await made(use, faster))).toBe('slow');
    await rm(faster.folder, { recursive: true });
    const several = await treeOf({
      'a/index.js': `let found = 'none'; const names = ['./x.node', './y.node'];
        for (const name of names) { try { found = require(name); break } catch {} } module.exports = found`,
      'a/prebuilds/x.node': '',
    });
    expect(exportsOf(await made(use, several))).toBe('none');
  });

  it('may be imported for addresses alone, and by packages whose other parts need no process', async () => {
    const addresses = await treeOf({
      'a/index.js': 'const n = require("net"); exports.parts = (ip) => n.isIP(ip); exports.default = "addresses"',
    });
    expect(exportsOf(await made(use, addresses))).toMatchObject({ default: 'addresses' });
    await rm(addresses.folder, { recursive: true });
    const both = await treeOf({ 'a/index.js': 'const n = require("net"); exports.a = n.isIP; exports.b = n.connect' });
    expect(refusal(await made(use, both))).toContain('component.js -> a -> net');
    await rm(both.folder, { recursive: true });
    const login = await treeOf({
      'a/index.js': 'require("open"); module.exports = "login"',
      'open/index.js': 'require("b")',
      'b/index.js': 'exports.start = () => require("child_process")',
    });
    expect(exportsOf(await made(use, login))).toBe('login');
  });

  it('is not a script whose name without its ending ends like that of native code, as in grammy', async () => {
    const tree = await treeOf({
      'a/index.js': 'module.exports = require("./platform.node").name',
      'a/platform.node.js': 'exports.name = "node"',
    });
    expect(exportsOf(await made('import a from "a"; export default a', tree))).toBe('node');
  });

  it('is not what a package without native code asks for that loads a file by a computed name', async () => {
    const plugins = await treeOf({
      'a/index.js': 'exports.plugin = (name) => require(name); exports.default = "plugins"',
      'native/binding.gyp': '{}',
      'native/index.js': 'module.exports = 1',
    });
    const both = 'import a from "a"; import n from "native"; export default [typeof a, n]';
    expect(exportsOf(await made(both, plugins))).toEqual(['object', 1]);
  });
});

it('is refused above 12 MiB', async () => {
  const tree = await treeOf({ 'a/index.js': `module.exports = "${'x'.repeat(12 * 1024 * 1024)}"` });
  expect(refusal(await made('import a from "a"; export default a', tree))).toContain('at most 12582912 are taken');
});
