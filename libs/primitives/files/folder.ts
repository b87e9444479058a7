// Creates a folder and its parents, or fails: Node's own way retries endlessly where the system cannot have such a
// folder.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Resolves when the absolute `path` is a folder; each created one has the mode. Rejects with the system's error,
 * such as ENOENT below `/proc`, where no folder can be created.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await makeOne(path, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path), mode);
    await makeOne(path, mode);
  }
}

/** Creates a folder unless it exists; some read-only disks do not report with EEXIST that it does. */
async function makeOne(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || !(await isFolder(path))) throw error;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
