import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foldersOf, importsBelow, knotIn } from './knots.ts';

const rootDir = fileURLToPath(new URL('../../..', import.meta.url));

test('a circle through a folder is found, even where no two files import each other', () => {
  const imports = new Map([
    ['stage/task.ts', ['stage/sending/send.ts']],
    ['stage/sending/send.ts', ['stage/options.ts', 'stage/lanes/lane.ts']],
    ['stage/sending/rate.ts', []],
    ['stage/lanes/lane.ts', ['stage/sending/rate.ts', 'domain/retry.ts']],
    ['stage/options.ts', []],
  ]);
  expect(knotIn('stage', imports)).toEqual(['lanes', 'sending']);
  expect(knotIn('stage/sending', imports)).toEqual([]);
});

const tidy = [
  ...[
    'client',
    'egress',
    'engines',
    'packages',
    'primitives',
    'sandbox',
    'stages',
    'verifier',
    'view-store',
    'webhooks',
  ].map((lib) => `libs/${lib}`),
  ...[
    'account',
    'alert',
    'audit',
    'channel',
    'delivery',
    'emit',
    'history',
    'listener',
    'saved',
    'secrets',
    'timer',
  ].map((area) => `libs/domain/${area}`),
  ...['apps/cli', 'apps/console', 'test/support'],
];

test.each(tidy)('in each folder of %s imports go one way: no part imports what is built on it', (path) => {
  const folder = join(rootDir, path);
  const imports = importsBelow(folder);
  expect(imports.size).toBeGreaterThan(1);
  const knots = foldersOf(folder).map((one) => [one, knotIn(one, imports)] as const);
  expect(knots.filter(([, parts]) => parts.length > 0)).toEqual([]);
});
