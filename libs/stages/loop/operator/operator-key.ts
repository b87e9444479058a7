// Tells the operator from other callers: anyone who may read the data directory has the first API key.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSameSecret } from '../../../primitives/same-secret.ts';

/** Whether the header `Authorization` has the key in the file `api-key`; false while there is none. */
export async function isOperator(dataDir: string, authorization: string | undefined): Promise<boolean> {
  const key = await readFile(join(dataDir, 'api-key'), 'utf8').catch((error: { code?: string }) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return key !== undefined && isSameSecret(authorization ?? '', `Bearer ${key.trim()}`);
}
