// Collects the files of a component: the named one, and those that it imports by relative paths, in any folder.
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';

export interface LocalFile {
  readonly path: string;
  readonly text: string;
}

/** The service's maximum; it rejects more. */
const filesMax = 200;
/** A larger file makes any component too large. */
const bytesMax = 1024 * 1024;

/** More than the imports of any component lead to while it is being written. */
const missingMax = 1_000;

/** Matches the paths of imports and requires. Text that only looks like one at worst adds a file. */
const importPattern = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(["'`])(\.{1,2}(?:\/[^"'`\n]*)?)\1/g;

/** In the order of Node, then of TypeScript, whose imports can name the compiled file. */
const endings = ['', '.mjs', '.js', '.cjs', '.ts', '.mts', '.cts', '.json', '/index.mjs', '/index.js', '/index.ts'];
const sourceEndings: Readonly<Record<string, string>> = { '.js': '.ts', '.mjs': '.mts', '.cjs': '.cts' };

const isProgram = (path: string): boolean => /\.[cm]?[jt]s$/.test(path);

export interface Imports {
  /** The importing file first. */
  readonly files: readonly LocalFile[];
  /** The paths where missing imports would be. */
  readonly missing: readonly string[];
}

/** The imports of `entry`. Missing files are left out: the service reports them with their line. */
export async function importedFiles(entry: LocalFile): Promise<Imports> {
  const found = new Map([[entry.path, entry]]);
  const missing: string[] = [];
  for (const file of found.values()) {
    if (found.size > filesMax) break;
    for (const { path, places } of await importedBy(file)) {
      if (path === undefined && missing.length < missingMax) missing.push(...places.filter(isComponentFile));
      if (path === undefined || !isComponentFile(path) || found.has(path)) continue;
      const text = await readFile(path, 'utf8').catch(() => undefined);
      if (text !== undefined) found.set(path, { path, text });
    }
  }
  return { files: [...found.values()], missing: [...new Set(missing)] };
}

interface Import {
  /** Undefined: the file does not exist. */
  readonly path: string | undefined;
  readonly places: readonly string[];
}

async function importedBy({ path, text }: LocalFile): Promise<readonly Import[]> {
  if (!isProgram(path)) return [];
  const names = new Set([...text.matchAll(importPattern)].map(([, , name = '']) => name));
  return Promise.all(
    [...names].map(async (name) => {
      const places = candidatePaths(resolve(dirname(path), name));
      return { path: await firstFile(places), places };
    }),
  );
}

/** Other files, such as images, cannot be part of a component. */
const isComponentFile = (path: string): boolean => isProgram(path) || path.endsWith('.json');

function candidatePaths(path: string): readonly string[] {
  const other = path.replace(/\.[cm]?js$/, (ending) => sourceEndings[ending] ?? ending);
  return [...endings.map((ending) => path + ending), other];
}

async function firstFile(candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) {
    const stats = await stat(candidate).catch(() => undefined);
    if (stats?.isFile() === true && stats.size <= bytesMax) return candidate;
  }
  return undefined;
}

/** Keyed by their paths relative to the folder that they share, with slashes. */
export function filesByPath(files: readonly LocalFile[]): Readonly<Record<string, string>> {
  const folder = sharedFolder(files.map(({ path }) => dirname(path)));
  return Object.fromEntries(files.map(({ path, text }) => [relative(folder, path).split(sep).join('/'), text]));
}

function sharedFolder([first = '', ...others]: readonly string[]): string {
  let folder = first;
  while (others.some((other) => other !== folder && !other.startsWith(join(folder, sep)))) folder = dirname(folder);
  return folder;
}
