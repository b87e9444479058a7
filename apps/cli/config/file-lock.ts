// Runs work on a file in one process at a time, by a lock file next to it.
import { open, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 20;
/** Longer than such work takes: a process that still holds the lock then was killed. */
const defaultWaitMsMax = 5_000;

/** The folder of the file must exist. After `waitMsMax` it works without the lock. */
export async function withFileLock(
  path: string,
  work: () => Promise<void>,
  waitMsMax = defaultWaitMsMax,
): Promise<void> {
  const lock = `${path}.lock`;
  for (let waitedMs = 0; waitedMs < waitMsMax && !(await tryLock(lock)); waitedMs += pollMs) await pause(pollMs);
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** True: this call took the lock. */
async function tryLock(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx')).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
