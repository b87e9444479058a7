// Keeps the embedded engine's master key: created once, stored next to the data it decrypts, readable only by its
// owner.
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PortError } from '../../domain/port-error.ts';
import { keepDurably } from '../../primitives/files/durable-file.ts';
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
export async function keptMasterKey(dataDir: string, isSealed: boolean): Promise<Buffer> {
  const path = join(dataDir, 'master-key');
  const kept = await existing(path);
  if (kept === undefined && isSealed) throw new PortError('corrupt', missing(path));
  return kept ?? (await make(dataDir, path));
}

const missing = (path: string): string =>
  `${path} is missing, and the secrets in this data directory open with no other key: ` +
  'put the file back from a backup, or set MASTER_KEY to the key.';

async function existing(path: string): Promise<Buffer | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  const mode = found.mode & 0o777;
  if (found.isFile() && (mode & ~ownerOnly) !== 0) {
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
      `${path} holds no master key: put back the one that this data was made with, or ${hint(error)}`,
      error,
    );
  }
}

const hint = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function make(dataDir: string, path: string): Promise<Buffer> {
  await makeFolder(dataDir, 0o700);
  const key = randomBytes(masterKeyBytes).toString('base64');
  return parseMasterKey((await keepDurably(path, `${key}\n`, ownerOnly)).trim());
}
