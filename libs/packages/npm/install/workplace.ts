// The folder of one install for incomplete files. The service creates it, and removes it after the process's end, so
// that no install leaves incomplete files, however it ended.
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { newDraft } from '../trees/tree.ts';

export interface Workplace {
  readonly folder: string;
  /** The project's files, which npm reads. */
  readonly project: string;
  /** The tree, until it is moved to its final folder. */
  readonly tree: string;
  /** npm's cache; complete files are moved to the cache that all installs share. */
  readonly cache: string;
}

/** The folders to which npm moves complete files; it writes them in `tmp` next to these. */
const sharedFolders = ['content-v2', 'index-v5'];

export async function openWorkplace(directory: string): Promise<Workplace> {
  const folder = await newDraft(directory);
  const workplace = {
    folder,
    project: join(folder, 'project'),
    tree: join(folder, 'tree'),
    cache: join(folder, 'cache'),
  };
  for (const one of [workplace.project, workplace.tree, workplace.cache]) await mkdir(one, { mode: 0o700 });
  for (const name of sharedFolders) {
    const target = join(directory, 'npm', '_cacache', name);
    await mkdir(target, { recursive: true, mode: 0o700 });
    await symlink(target, join(workplace.cache, name));
  }
  return workplace;
}

/** Never rejects; files that cannot be removed now are swept later. */
export async function closeWorkplace({ folder }: Workplace): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}
