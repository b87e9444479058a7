// Reads a small file of text, with an error that names it whatever is wrong.
import { readFile } from 'node:fs/promises';

/** Rejects with the system's error, and its `path`: Node leaves it out where a directory is in the file's place. */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  }
}
