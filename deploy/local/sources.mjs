// Computes a fingerprint of everything that the build reads, cheap enough for every start.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const built = [
  'apps',
  'libs',
  'test/bench',
  'test/support',
  'deploy/local',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** Changes when a file is added, removed or written; excludes tests. */
export function fingerprint(rootDir) {
  const hash = createHash('sha256');
  for (const path of built.flatMap((name) => filesUnder(join(rootDir, name)))) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${relative(rootDir, path)}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Returns every file below a folder, in order; for a file, the file itself; for a missing path, nothing. */
export function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { withFileTypes: true });
  const names = entries.filter(({ name }) => !/\.(spec|contract)\.ts$/.test(name)).map(({ name }) => name);
  return names.sort().flatMap((name) => filesUnder(join(path, name)));
}
