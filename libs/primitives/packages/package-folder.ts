// Where a file finds a package that it imports, in the path by which Node asks for it.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * `node_modules` or the package may be a link. A process that may read this folder alone must run with
 * `--preserve-symlinks`: otherwise Node looks where the link leads, which it is not allowed to.
 */
export function packageFolder(name: string, file: string): string {
  const sought = createRequire(file).resolve.paths(name) ?? [];
  const found = sought.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json')));
  if (found === undefined) throw new Error(`The package ${name} is not installed: it is not in ${sought.join(', ')}`);
  return found;
}
