// Writes files that exist completely or not at all, also after a power failure.
import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces the file, and resolves when it is durably on disk. Its folder must exist. */
export async function writeDurably(path: string, text: string, mode: number): Promise<void> {
  await rename(await writeDraft(path, text, mode), path);
  await syncDirectory(dirname(path));
}

/**
 * As `writeDurably` if there is no such file; resolves with the content of the file: a file that another process wrote
 * at the same moment is kept. On disks without hard links the last one is kept.
 */
export async function createDurably(path: string, text: string, mode: number): Promise<string> {
  const draft = await writeDraft(path, text, mode);
  try {
    await link(draft, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (noHardLinkCodes.has(code)) await rename(draft, path);
    else if (code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(dirname(path));
  return readFile(path, 'utf8');
}

/** The error codes of disks without hard links. */
const noHardLinkCodes: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Writes and syncs a temporary file in the same folder. */
async function writeDraft(path: string, text: string, mode: number): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    // On a full disk each attempt would leave a temporary file.
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return draft;
}

/** Without it the name might be gone after a power failure although the file's content is safe. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
