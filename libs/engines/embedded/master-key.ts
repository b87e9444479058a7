// Keeps the embedded engine's master key: created once, stored next to the data it decrypts, readable only by its
// owner.
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PortError } from '../../domain/port-error.ts';
import { createDurably } from '../../primitives/files/durable-file.ts';
import { makeFolder } from '../../primitives/files/folder.ts';
import { readText } from '../../primitives/files/read-text.ts';
import { masterKeyBytes, parseMasterKey } from '../config/parse.ts';

const ownerOnly = 0o600;

/**
 * Returns the key in `<dataDir>/master-key`. If there is none, it is created and synced to disk, unless data was
 * encrypted with a lost one: a new one would decrypt nothing, and replace the old one in backups. Throws PortError,
 * which says what to do, also if the file holds something else or other users can read it. Processes that create it at
 * the same time all get the same key.
 */
export async function loadMasterKey(dataDir: string, hasSealedData: boolean): Promise<Buffer> {
  const path = join(dataDir, 'master-key');
  const stored = await readExisting(path);
  if (stored === undefined && hasSealedData) throw new PortError('corrupt', missingMessage(path));
  return stored ?? (await createKey(dataDir, path));
}

const missingMessage = (path: string): string =>
  `${path} is missing, and the secrets in this data directory open with no other key: ` +
  'put the file back from a backup, or set MASTER_KEY to the key.';

async function readExisting(path: string): Promise<Buffer | undefined> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (stats === undefined) return undefined;
  const mode = stats.mode & 0o777;
  if (stats.isFile() && (mode & ~ownerOnly) !== 0) {
    throw new PortError(
      'corrupt',
      `${path} has mode 0${mode.toString(8)}: others could use the key. Run: chmod 600 ${path}`,
    );
  }
  const text = await readText(path);
  try {
    return parseMasterKey(text.trim());
  } catch (error) {
    throw new PortError(
      'corrupt',
      `${path} holds no master key: put back the one that this data was made with, or ${messageOf(error)}`,
      error,
    );
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function createKey(dataDir: string, path: string): Promise<Buffer> {
  await makeFolder(dataDir, 0o700);
  const key = randomBytes(masterKeyBytes).toString('base64');
  return parseMasterKey((await createDurably(path, `${key}\n`, ownerOnly)).trim());
}
