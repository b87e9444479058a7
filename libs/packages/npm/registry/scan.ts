// Finds the components in the files of an unpacked package, within limits of number, bytes and depth.
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackagedComponent } from '../../packages.ts';
import { readDeclaration } from './declaration.ts';

/** Ten times as many as the largest packages of components have. */
const filesMax = 5_000;
const bytesMax = 64 * 1024 * 1024;
const depthMax = 12;
/** A component declares its key at its beginning. */
const readBytesMax = 64 * 1024;

const isModule = (name: string): boolean => /\.[cm]?[jt]s$/.test(name) && !/\.d\.[cm]?ts$/.test(name);

/** The components, sorted by key. If several files have one key, the one named after it is used. */
export async function componentsIn(folder: string): Promise<readonly PackagedComponent[]> {
  const byKey = new Map<string, PackagedComponent>();
  let bytes = 0;
  for (const path of await modulesIn(folder)) {
    const text = await readBeginning(join(folder, path));
    bytes += text.length;
    if (bytes > bytesMax) break;
    const declaration = readDeclaration(text);
    if (declaration === undefined) continue;
    const existing = byKey.get(declaration.key);
    if (existing === undefined || rank(declaration.key, path) > rank(declaration.key, existing.path))
      byKey.set(declaration.key, { ...declaration, path });
  }
  return [...byKey.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

/** How likely the file is the component itself, not a module that it shares with others. */
function rank(key: string, path: string): number {
  const names = path.split('/');
  const isNamed = key.endsWith((names.at(-1) ?? '').replace(/\.[^.]*$/, ''));
  const isInComponentFolder = names.includes('sources') || names.includes('actions');
  return Number(isNamed) + 2 * Number(isInComponentFolder);
}

/** Sorted, so that the result is always the same for a package. Links are not followed. */
async function modulesIn(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  const queue = [{ path: '', depth: 0 }];
  for (let next = queue.pop(); next !== undefined && found.length < filesMax; next = queue.pop()) {
    const { path, depth } = next;
    for (const entry of await readdir(join(folder, path), { withFileTypes: true })) {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isFile() && isModule(entry.name)) found.push(inner);
      if (entry.isDirectory() && entry.name !== 'node_modules' && depth < depthMax)
        queue.push({ path: inner, depth: depth + 1 });
    }
  }
  return found.slice(0, filesMax).sort();
}

async function readBeginning(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(readBytesMax), position: 0 });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
