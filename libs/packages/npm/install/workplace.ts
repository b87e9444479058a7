// Where one install writes what is not whole yet. The service makes the folder and removes it once the process is gone, so
// that no install leaves a part of something, however it ended.
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { newDraft } from '../trees/tree.ts';

export interface Workplace {
  readonly folder: string;
  /** The files that npm reads. */
  readonly project: string;
  /** The tree, until it is placed. */
  readonly tree: string;
  /** npm's cache: what is whole goes to the one that all installs share. */
  readonly cache: string;
}

/** What npm moves whole files to; it writes them in `tmp` beside these. */
const shared = ['content-v2', 'index-v5'];

export async function openWorkplace(directory: string): Promise<Workplace> {
  const folder = await newDraft(directory);
  const workplace = {
    folder,
    project: join(folder, 'project'),
    tree: join(folder, 'tree'),
    cache: join(folder, 'cache'),
  };
  for (const one of [workplace.project, workplace.tree, workplace.cache]) await mkdir(one, { mode: 0o700 });
  for (const name of shared) {
    const target = join(directory, 'npm', '_cacache', name);
    await mkdir(target, { recursive: true, mode: 0o700 });
    await symlink(target, join(workplace.cache, name));
  }
  return workplace;
}

/** Never rejects: what cannot be removed now is swept later. */
export async function closeWorkplace({ folder }: Workplace): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}
