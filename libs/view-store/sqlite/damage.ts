// Damage that was found in the views' file is noted beside it. The next start removes the file: the views hold nothing
// that is not on the log, from which they are filled again.
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';

const noteOf = (file: string): string => `${file}.damaged`;

/** Without room for the note the file stays, and the damage is found and noted again. */
export function noteDamage(file: string): void {
  try {
    closeSync(openSync(noteOf(file), 'a', 0o600));
  } catch {
    // The damage itself is what the caller reports.
  }
}

/** Whether the file was damaged. The note goes last: a kill in between removes what is left at the next start. */
export function removeDamaged(file: string): boolean {
  if (!existsSync(noteOf(file))) return false;
  for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
  rmSync(noteOf(file), { force: true });
  return true;
}
