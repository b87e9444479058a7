// The directory of DATA_DIR, made where it is missing, or refused with what to do.
import { readlink, stat } from 'node:fs/promises';
import { PortError } from '../../domain/port-error.ts';
import { makeFolder } from '../../primitives/files/folder.ts';

/** Resolves once it is there. Throws PortError. */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir, 0o700);
  } catch (error) {
    const why = await reasonOf(error as NodeJS.ErrnoException);
    throw new PortError('unavailable', `DATA_DIR ${dataDir}: ${why}. Set DATA_DIR to a directory of your own.`, error);
  }
}

async function reasonOf({ code, path = '' }: NodeJS.ErrnoException): Promise<string> {
  if (code !== 'EEXIST' && code !== 'ENOTDIR') return `it cannot be made (${code})`;
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  const target = isThere ? undefined : await readlink(path).catch(() => undefined);
  if (target === undefined) return 'it is a file, or within one';
  return `${path} is a link to ${target}, where nothing is: mount its disk, or make that directory`;
}
