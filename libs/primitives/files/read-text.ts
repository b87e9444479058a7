// Reads a small text file, with an error that always names the file.
import { readFile } from 'node:fs/promises';

/** Rejects with the system's error, with `path` set: Node omits it if the path is a directory. */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  }
}
