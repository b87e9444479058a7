// Reads the text of a file that an option names.
import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { usageFailure } from '../failures/failure.ts';
import type { Session } from './session.ts';

/** `path`: a file, or `-` for stdin. Throws a usage failure if it cannot be read. */
export async function contentOf({ io }: Session, path: string): Promise<string> {
  if (path === '-') return readStream(io.stdin);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw usageFailure(`${path} cannot be read: ${(error as Error).message}`);
  }
}
