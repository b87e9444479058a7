// Recognizes the operator by the first API key: anyone who can read the data directory has it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSameSecret } from '../../../primitives/same-secret.ts';

/** Whether the header `Authorization` holds the key in the file `api-key`; false while that file does not exist. */
export async function isOperator(dataDir: string, authorization: string | undefined): Promise<boolean> {
  const key = await readFile(join(dataDir, 'api-key'), 'utf8').catch((error: { code?: string }) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return key !== undefined && isSameSecret(authorization ?? '', `Bearer ${key.trim()}`);
}
