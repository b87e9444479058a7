import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const rootDir = fileURLToPath(new URL('../../..', import.meta.url));
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: rootDir,
  encoding: 'utf8',
});
const sources = tracked.split('\n').filter((path) => /\.(ts|tsx|mjs)$/.test(path) && existsSync(join(rootDir, path)));

test('no object spreads an object literal instead of stating its fields', () => {
  const literal = `...${'{'}`;
  expect(sources.filter((path) => readFileSync(join(rootDir, path), 'utf8').includes(literal))).toEqual([]);
});
