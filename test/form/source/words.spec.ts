import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { proseOfDocument, proseOfSource, wordsIn, wordsOf } from './words.ts';

const rootDir = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string): string => readFileSync(join(rootDir, path), 'utf8');

const words = wordsOf(read('CONTRIBUTING.md'));
const replaced = words.flatMap(({ instead }) => instead);

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: rootDir,
  encoding: 'utf8',
});
const files = tracked.split('\n').filter((path) => path !== '' && existsSync(join(rootDir, path)));

/** There `emitter` and `organization` are terms of Node and OpenSSL. */
const ofOthers = /^libs\/sandbox\/isolated-vm\/guest\/(node|web|crypto)\//;

test('finds words in comments, messages and documents, but not in code', () => {
  const source = [
    '/** Of one emitter. */',
    "const emitterId = 'dc_1'; // Emitters are many.",
    "throw new Error('no `emitter_id`, a tenant');",
    "import { emitter } from './emitter.ts';",
    'throw new Error(`${bookmark} is no organization`);',
  ];
  const all = ['emitter', 'tenant', 'organization', 'bookmark'];
  expect(wordsIn(proseOfSource(source.join('\n')), all)).toEqual(['emitter', 'tenant', 'organization']);
  expect(wordsIn(proseOfSource(source.slice(2).join('\n')), ['emitter'])).toEqual([]);
  expect(wordsIn(proseOfDocument('`emitter` is [a word](emitter.md)\n```\nemitter\n```\n'), ['emitter'])).toEqual([]);
  expect(wordsIn(proseOfDocument('Dead letters are parked'), ['dead letter'])).toEqual(['dead letter']);
});

test('reads the table of words in CONTRIBUTING.md', () => {
  expect(words.map(({ word }) => word)).toEqual(expect.arrayContaining(['source', 'webhook', 'console', 'workspace']));
  expect(replaced).toEqual(expect.arrayContaining(['emitter', 'tenant']));
});

test('comments, messages and names of tests use no word that the table replaces', () => {
  const sources = files.filter(
    (path) => /^(apps|libs|test|deploy)\/.*\.(ts|tsx|mjs)$/.test(path) && !ofOthers.test(path),
  );
  expect(sources.length).toBeGreaterThan(1_000);
  const found = sources
    .filter((path) => !path.startsWith('test/form/source/'))
    .map((path) => [path, wordsIn(proseOfSource(read(path)), replaced)] as const);
  expect(found.filter(([, said]) => said.length > 0)).toEqual([]);
});

test('documents use no word that the table replaces', () => {
  const documents = files.filter((path) => path.endsWith('.md') && path !== 'CONTRIBUTING.md');
  expect(documents.length).toBeGreaterThan(50);
  const found = documents.map((path) => [path, wordsIn(proseOfDocument(read(path)), replaced)] as const);
  expect(found.filter(([, said]) => said.length > 0)).toEqual([]);
});
