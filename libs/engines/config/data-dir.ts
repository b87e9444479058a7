// Creates the directory of DATA_DIR if it is missing, and rejects one that cannot be used, with what to do.
import { readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PortError } from '../../domain/port-error.ts';
import { makeFolder } from '../../primitives/files/folder.ts';

/** A pipe or a device in their place would block the process silently, or be read endlessly. */
const files = ['log.sqlite', 'views.sqlite'].flatMap((file) => [file, `${file}-wal`, `${file}-shm`, `${file}.lock`]);
const keys = ['master-key', 'api-key'];

/** Resolves when it exists. Throws PortError, or the system's error if something else is in the place of a file. */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir, 0o700);
  } catch (error) {
    const reason = await reasonOf(error as NodeJS.ErrnoException);
    throw new PortError(
      'unavailable',
      `DATA_DIR ${dataDir}: ${reason}. Set DATA_DIR to a directory of your own.`,
      error,
    );
  }
  for (const name of [...files, ...keys]) await checkFile(join(dataDir, name));
}

/** Only checks that it is a file: the code that opens it reports other problems. */
async function checkFile(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined || stats.isFile()) return;
  const code = stats.isDirectory() ? 'EISDIR' : 'EFTYPE';
  throw Object.assign(new Error(`${code}: ${path} is no file`), { code, path });
}

async function reasonOf({ code, path = '' }: NodeJS.ErrnoException): Promise<string> {
  if (code !== 'EEXIST' && code !== 'ENOTDIR') return `it cannot be made (${code})`;
  const exists = await stat(path).then(
    () => true,
    () => false,
  );
  const target = exists ? undefined : await readlink(path).catch(() => undefined);
  if (target === undefined) return 'it is a file, or within one';
  return `${path} is a link to ${target}, where nothing is: mount its disk, or make that directory`;
}
