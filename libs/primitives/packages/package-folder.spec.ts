// A process with no other permissions loads a package from a node_modules folder that is a link.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFolder } from './package-folder.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'package-folder-')));
const script = join(folder, 'app/main.mjs');
beforeAll(() => {
  mkdirSync(join(folder, 'app'));
  mkdirSync(join(folder, 'elsewhere/things'), { recursive: true });
  writeFileSync(join(folder, 'elsewhere/things/package.json'), '{"name":"things","main":"main.js"}');
  writeFileSync(join(folder, 'elsewhere/things/main.js'), 'module.exports = 1');
  writeFileSync(script, 'import "things"');
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'app/node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const loads = (...flags: readonly string[]): boolean =>
  spawnSync(process.execPath, ['--permission', `--allow-fs-read=${script}`, ...flags, script]).status === 0;

it('is the path through the link, which suffices with --preserve-symlinks', () => {
  const things = packageFolder('things', script);
  expect(things).toBe(join(folder, 'app/node_modules/things'));
  const readable = `--allow-fs-read=${join(things, '*')}`;
  expect(loads(readable, '--preserve-symlinks')).toBe(true);
  expect(loads(readable)).toBe(false);
});

it('says which package is not there, and where it was looked for', () => {
  expect(() => packageFolder('nothing', script)).toThrow(
    `The package nothing is not installed: it is not in ${join(folder, 'app/node_modules')}`,
  );
});
