// Files that are there whole or not at all, also after a power failure.
import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Resolves once it is on disk for good, in place of what was there. Its folder must exist. */
export async function writeDurably(path: string, text: string, mode: number): Promise<void> {
  await rename(await draftOf(path, text, mode), path);
  await syncDirectory(dirname(path));
}

/**
 * As `writeDurably` where there is no such file; resolves with what the file holds: what another process has written at the
 * same moment stays. On disks without hard links the last of them stays.
 */
export async function keepDurably(path: string, text: string, mode: number): Promise<string> {
  const draft = await draftOf(path, text, mode);
  try {
    await link(draft, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (noLinks.has(code)) await rename(draft, path);
    else if (code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(dirname(path));
  return readFile(path, 'utf8');
}

/** What disks answer that know no hard links. */
const noLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** A file beside it that is on disk. */
async function draftOf(path: string, text: string, mode: number): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    // On a full disk each try would leave one.
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return draft;
}

/** Without it the name may be gone after a power failure although the file is safe. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
