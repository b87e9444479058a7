// Finds cycles of imports between the parts of a folder, whose parts then cannot be read in an order.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The imports of each file, by path. Imports of types count. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** Imports of tests and fakes do not count. */
const isTest = (path: string): boolean => /\.(spec|contract|fake)\.tsx?$/.test(path);

export function importsBelow(folder: string): Imports {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const files = paths.filter((path) => /\.tsx?$/.test(path) && !isTest(path));
  return new Map(files.map((path) => [path, importedBy(path)]));
}

function importedBy(path: string): readonly string[] {
  const named = readFileSync(path, 'utf8').matchAll(/\b(?:from|import) *\(?'(\.[^']+)'/g);
  const targets = [...named].map(([, target = '']) => join(dirname(path), target));
  return targets.filter((target) => existsSync(target) && !isTest(target));
}

/** The parts (files and folders) of a folder in an import cycle; empty: they can be ordered. */
export function importCycleIn(folder: string, imports: Imports): readonly string[] {
  const graph = partsOf(folder, imports);
  // A part that imports no remaining part, or is imported by none, is in no cycle.
  for (let size = -1; size !== graph.size;) {
    size = graph.size;
    const imported = new Set([...graph.values()].flatMap((targets) => [...targets]));
    for (const [part, targets] of graph) {
      if (![...targets].some((target) => graph.has(target)) || !imported.has(part)) graph.delete(part);
    }
  }
  return [...graph.keys()].toSorted();
}

function partsOf(folder: string, imports: Imports): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    const part = partOf(folder, file);
    if (part === undefined) continue;
    const others = graph.get(part) ?? new Set<string>();
    graph.set(part, others);
    for (const target of targets) {
      const other = partOf(folder, target);
      if (other !== undefined && other !== part) others.add(other);
    }
  }
  return graph;
}

function partOf(folder: string, file: string): string | undefined {
  const path = relative(folder, file);
  return path.startsWith('..') ? undefined : path.split('/')[0];
}

/** The folder and all below it. */
export function foldersOf(folder: string): readonly string[] {
  const below = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...below.map((entry) => join(entry.parentPath, entry.name))];
}
