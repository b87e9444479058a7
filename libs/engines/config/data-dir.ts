// The directory of DATA_DIR, made where it is missing, or refused with what to do.
import { PortError } from '../../domain/port-error.ts';
import { makeFolder } from '../../primitives/files/folder.ts';

/** Resolves once it is there. Throws PortError. */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir, 0o700);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? 'it is a file, or within one' : `it cannot be made (${code})`;
    throw new PortError('unavailable', `DATA_DIR ${dataDir}: ${why}. Set DATA_DIR to a directory of your own.`, error);
  }
}
