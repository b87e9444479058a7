// Notes damage of the views' file in a file next to it. The next start removes the views' file: everything in it is on
// the log, from which the views are filled again.
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';

const noteOf = (file: string): string => `${file}.damaged`;

/** If the note cannot be written, the file is kept, and the damage is found and noted again. */
export function noteDamage(file: string): void {
  try {
    closeSync(openSync(noteOf(file), 'a', 0o600));
  } catch {
    // The caller reports the damage itself.
  }
}

/** Removes a file noted as damaged; returns whether it did. The note is removed last, in case of a kill in between. */
export function removeDamaged(file: string): boolean {
  if (!existsSync(noteOf(file))) return false;
  for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
  rmSync(noteOf(file), { force: true });
  return true;
}
