// Work on a file that one process does at a time.
import { open, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const lookMs = 20;
/** Longer than such work takes: whoever holds the lock by then was killed. */
const usualWaitMsMax = 5_000;

/** The folder of the file must exist. */
export async function oneAtATime(path: string, work: () => Promise<void>, waitMsMax = usualWaitMsMax): Promise<void> {
  const lock = `${path}.lock`;
  for (let waitedMs = 0; waitedMs < waitMsMax && !(await isTaken(lock)); waitedMs += lookMs) await pause(lookMs);
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** True: by this call. */
async function isTaken(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx')).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
