// The packages that the service provides itself, for the bundler: what stands where, and what of node_modules they read.
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const entry = (name: string): string => join(here, `${name}.${extension}`);

/** By the name that components import, whatever version they ask for: the file to bundle. */
export const providedEntries: Readonly<Record<string, string>> = {
  '@pipedream/platform': entry('platform'),
  // As it was called at first.
  '@pipedreamhq/platform': entry('platform'),
  '@pipedream/types': entry('types'),
};

/** What the entries import of this project's dependencies. */
const dependencies = ['axios', 'mime-types'];

/** A guard against a loop that is none: axios has 30 of them. */
const packagesMax = 200;

interface PackageJson {
  readonly dependencies?: Readonly<Record<string, string>>;
  /** What it uses if it is there. */
  readonly peerDependenciesMeta?: Readonly<Record<string, object>>;
}

const packageJsonIn = (folder: string): PackageJson =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson;

/** Where a package stands; its main file need not be there, nor its package.json be exported. */
function folderOf(name: string, from: string): string | undefined {
  for (const folder of createRequire(join(from, 'package.json')).resolve.paths(name) ?? []) {
    try {
      return realpathSync(join(folder, name));
    } catch {
      // It stands further up.
    }
  }
  return undefined;
}

/** The folders that bundling the entries reads: their own, and those of their dependencies, with all that these need. */
export function providedFolders(): readonly string[] {
  const found = new Set<string>();
  const open = dependencies.map((name) => ({ name, from: here, isOptional: false }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, from, isOptional } = next;
    const folder = folderOf(name, from);
    if (folder === undefined && !isOptional) {
      throw new Error(`The package ${name}, which ${from} needs, is not installed: run npm ci`);
    }
    if (folder === undefined || found.has(folder)) continue;
    found.add(folder);
    if (found.size > packagesMax) throw new Error(`The provided packages need more than ${packagesMax} others`);
    const { dependencies: needed = {}, peerDependenciesMeta: optional = {} } = packageJsonIn(folder);
    for (const other of Object.keys(needed)) open.push({ name: other, from: folder, isOptional: false });
    for (const other of Object.keys(optional)) open.push({ name: other, from: folder, isOptional: true });
  }
  return [here, ...found];
}
