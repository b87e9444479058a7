import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));

/** More cannot be taken in at a glance. */
const filesMax = 12;
/** The number of decisions only grows, and the files at the root are where tools look for them. */
const unbounded = /^(\.|docs\/decisions)$/;

const git = (...args: string[]): string[] =>
  execFileSync('git', ['ls-files', ...args], { cwd: rootDir, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '');

const tracked = git('--cached', '--others', '--exclude-standard');
const deleted = new Set(git('--deleted'));
const files = tracked.filter((path) => !deleted.has(path));

test(`no folder has more than ${filesMax} files`, () => {
  const counts = new Map<string, number>();
  for (const path of files) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  expect(counts.size).toBeGreaterThan(10);
  expect([...counts].filter(([folder, count]) => count > filesMax && !unbounded.test(folder))).toEqual([]);
});

test('every source file except specs, contracts and type declarations starts with a comment', () => {
  const sources = files.filter((path) => /^(apps|libs|test|deploy)\/.*\.(ts|mjs|js)$/.test(path));
  const explained = sources.filter((path) => !/\.(spec|contract)\.ts$|\.d\.ts$/.test(path));
  expect(explained.length).toBeGreaterThan(10);
  const silent = explained.filter(
    (path) => !/^(#!.*\n)?(\/\/ |\/\*\*? ?)/.test(readFileSync(join(rootDir, path), 'utf8')),
  );
  expect(silent).toEqual([]);
});

const parts = (path: string): string[] => [...dirname(path).split('/'), basename(path).split('.')[0] ?? ''];
const isCode = (path: string): boolean => /^(apps|libs|test)\//.test(path);

test('no file or folder has a vague name such as utils or helpers', () => {
  const vague = /^(utils|common|helpers|manager|misc|shared)$/;
  expect(files.filter((path) => isCode(path) && parts(path).some((part) => vague.test(part)))).toEqual([]);
});

test('no file or folder has one of the private names that were replaced', () => {
  const ours = /^(rim|telling|known|showing|appetite|given|mould|doom|solitude|crew|said|wishes|slowly|unkept)$/;
  expect(files.filter((path) => isCode(path) && parts(path).some((part) => ours.test(part)))).toEqual([]);
});

/** Many folders have such a file: by this name alone, it is not clear which one is meant. */
test('no file in libs has a bare name such as limits.ts that does not say whose it is', () => {
  const bare =
    /^(limits|restore|records|names|task|trouble|standings?|options|keys|requests|version|turns|protocol|errors|failure|registry)\.ts$/;
  const inLibs = files.filter((path) => path.startsWith('libs/') && !path.startsWith('libs/client/'));
  expect(inLibs.filter((path) => bare.test(basename(path)))).toEqual([]);
});
