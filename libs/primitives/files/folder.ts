// Makes a folder with those that it is in, or fails: Node's own way tries for ever where the system knows no such place.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Resolves once `path`, which is absolute, is a folder; each that is made has the mode. Rejects with the system's error,
 * such as ENOENT below `/proc`, where nothing can be made.
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

/** Some disks that cannot be written to do not say that a folder is there. */
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
