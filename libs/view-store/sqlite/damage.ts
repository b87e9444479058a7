// Notes damage of the views' file in a file next to it. The next start removes the views' file: it holds nothing
// that is not on the log, from which the views are filled again.
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';

const notePathOf = (file: string): string => `${file}.damaged`;

/** If there is no room for the note, the file stays, and the damage is found and noted again. */
export function noteDamage(file: string): void {
  try {
    closeSync(openSync(notePathOf(file), 'a', 0o600));
  } catch {
    // Ignored, since the caller reports the damage itself.
  }
}

/**
 * Removes a damaged file, and returns whether it was one. The note is removed last: after a kill the next start
 * continues.
 */
export function removeDamaged(file: string): boolean {
  if (!existsSync(notePathOf(file))) return false;
  for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
  rmSync(notePathOf(file), { force: true });
  return true;
}
