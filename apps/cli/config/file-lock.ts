// Runs work on a file in one process at a time, by a lock file next to it that names the process that holds it.
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../failures/failure.ts';

const pollMs = 20;
/** Longer than such work takes: a process that still holds the lock then hangs. */
const defaultWaitMsMax = 5_000;

interface Owner {
  readonly host: string;
  readonly pid: number;
  /** One for each lock that was taken: process ids are used again. */
  readonly id: string;
}

/** Ids of the locks that this process holds. */
const held = new Set<string>();

/**
 * The folder of the file must exist. The lock of a process that has ended is taken over. Throws a Failure, with the
 * work not done, when a lock is still there after `waitMsMax`.
 */
export async function withFileLock(
  path: string,
  work: () => Promise<void>,
  waitMsMax = defaultWaitMsMax,
): Promise<void> {
  const lock = `${path}.lock`;
  const id = randomUUID();
  const deadline = performance.now() + waitMsMax;
  while (!tryLock(lock, id)) {
    if (removeIfAbandoned(lock)) continue;
    if (performance.now() > deadline) throw lockedFailure(path, lock);
    await pause(pollMs);
  }
  try {
    await work();
  } finally {
    held.delete(id);
    if (ownerOf(lock)?.id === id) rmSync(lock, { force: true });
  }
}

/** True: this call took the lock. */
function tryLock(lock: string, id: string): boolean {
  if (!tryCreate(lock, JSON.stringify({ host: hostname(), pid: process.pid, id } satisfies Owner))) return false;
  held.add(id);
  return true;
}

/** False: the file exists. */
function tryCreate(path: string, text: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeSync(file, text);
    return true;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * True: the lock is free or may be. Only who holds the second lock removes another's, so what is removed is what was
 * looked at, never the lock of a process that has taken it over meanwhile.
 */
function removeIfAbandoned(lock: string): boolean {
  if (!isAbandoned(lock)) return false;
  const guard = guardOf(lock);
  if (!tryCreate(guard, '')) return false;
  try {
    if (isAbandoned(lock)) rmSync(lock, { force: true });
    return true;
  } finally {
    rmSync(guard, { force: true });
  }
}

const guardOf = (lock: string): string => `${lock}.removal`;

/** Whether its process has ended; of one on another machine that is not known. */
function isAbandoned(lock: string): boolean {
  const owner = ownerOf(lock);
  if (owner?.host !== hostname()) return false;
  return owner.pid === process.pid ? !held.has(owner.id) : !isAlive(owner.pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Undefined: there is no lock, or its owner has not written its name yet. */
function ownerOf(lock: string): Owner | undefined {
  try {
    const { host, pid, id } = JSON.parse(readFileSync(lock, 'utf8')) as Partial<Owner>;
    if (typeof host !== 'string' || typeof id !== 'string' || !Number.isInteger(pid)) return undefined;
    return { host, pid: Number(pid), id };
  } catch {
    return undefined;
  }
}

function lockedFailure(path: string, lock: string): Failure {
  const owner = ownerOf(lock);
  const by = owner === undefined ? 'another pd' : `process ${owner.pid} on ${owner.host}`;
  return new Failure(
    `${path} is locked by ${by}, which does not finish.`,
    undefined,
    `If no pd is changing it, remove ${lock} (and ${guardOf(lock)} if it exists), and try again.`,
  );
}
