// Counts the folders of files, because each takes room on a disk too.
import { dirname } from 'node:path';

/** The longest path that a system opens. */
const pathUnitsMax = 4_096;

/** Adds the folders above the relative `path` that are not in `folders` yet; returns their number. */
export function addFolders(path: string, folders: Set<string>): number {
  let added = 0;
  if (path.length > pathUnitsMax) return added;
  for (let folder = dirname(path); folder !== '.' && !folders.has(folder); folder = dirname(folder)) {
    folders.add(folder);
    added += 1;
  }
  return added;
}
