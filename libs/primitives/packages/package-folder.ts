// Finds the folder of a package that a file imports, with the path by which Node accesses it.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * `node_modules` or the package can be a link. A process that may read only this folder must run with
 * `--preserve-symlinks`: otherwise Node reads the link's target, which it is not allowed to.
 */
export function packageFolder(name: string, file: string): string {
  const searchPaths = createRequire(file).resolve.paths(name) ?? [];
  const found = searchPaths
    .map((folder) => join(folder, name))
    .find((folder) => existsSync(join(folder, 'package.json')));
  if (found === undefined)
    throw new Error(`The package ${name} is not installed: it is not in ${searchPaths.join(', ')}`);
  return found;
}
