import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foldersOf, importsBelow, importCycleIn, type Imports } from './import-cycles.ts';

const rootDir = fileURLToPath(new URL('../../..', import.meta.url));

test('finds a circular import between folders, even when no two files import each other', () => {
  const imports = new Map([
    ['stage/task.ts', ['stage/sending/send.ts']],
    ['stage/sending/send.ts', ['stage/options.ts', 'stage/lanes/lane.ts']],
    ['stage/sending/rate.ts', []],
    ['stage/lanes/lane.ts', ['stage/sending/rate.ts', 'domain/retry.ts']],
    ['stage/options.ts', []],
  ]);
  expect(importCycleIn('stage', imports)).toEqual(['lanes', 'sending']);
  expect(importCycleIn('stage/sending', imports)).toEqual([]);
});

test.each(['apps', 'libs', 'test'])(
  'in each folder under %s, no circle of imports connects its files and subfolders',
  (path) => {
    const folder = join(rootDir, path);
    const imports = importsBelow(folder);
    expect(imports.size).toBeGreaterThan(10);
    const knots = foldersOf(folder).map(
      (one) => [relative(rootDir, one), importCycleIn(one, within(one, imports))] as const,
    );
    expect(knots.filter(([, parts]) => parts.length > 0)).toEqual([]);
  },
);

const within = (folder: string, imports: Imports): Imports =>
  new Map([...imports].filter(([file]) => file.startsWith(`${folder}/`)));
