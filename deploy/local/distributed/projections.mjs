// Keeps the URLs of the projections on a data directory: each `npm run start:distributed` notes its own, on free ports.
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirOf } from './environment.mjs';

/** The file with one URL per line, the newest last. */
export const projectionFile = (env) => join(dataDirOf(env), 'projection-url');

/** Killed launchers leave their URLs in the file: the oldest are removed. One launcher starts 32 processes at most. */
const urlsMax = 64;
/** The time limit of a check: a process on this machine answers at once. */
const askedMs = 2_000;

/** A change takes a millisecond: a launcher that holds the lock for this long was killed. */
const lockedMs = 2_000;
const pollMs = 5;

/** Notes the URLs of one launcher. Lines of others do not change. */
export class NotedProjections {
  #file;
  /** By the name of the process: a restarted one has another port. */
  #own = new Map();

  constructor(env) {
    this.#file = projectionFile(env);
  }

  note(name, url) {
    const former = this.#own.get(name);
    this.#own.set(name, url);
    change(this.#file, (urls) => [...urls.filter((one) => one !== former && one !== url), url]);
  }

  /**
   * Removes this launcher's URLs after its processes have ended: a projection of another launcher can still be found.
   */
  forget() {
    if (this.#own.size === 0) return;
    const own = new Set(this.#own.values());
    change(this.#file, (urls) => urls.filter((url) => !own.has(url)));
    this.#own.clear();
  }
}

/**
 * Returns the port of the newest projection that answers, as HEALTH_PORT. If none answers it is that of the newest one,
 * so that the caller reports it. Empty if none was started here: then HEALTH_PORT of the environment applies.
 */
export async function projectionPort(env) {
  const urls = urlsIn(projectionFile(env)).reverse();
  if (urls.length === 0) return {};
  // A single one is not checked here: the caller finds out whether it still runs.
  const answers = urls.length === 1 ? [true] : await Promise.all(urls.map(isProjection));
  return { HEALTH_PORT: new URL(urls[Math.max(0, answers.indexOf(true))]).port };
}

/** Whether it is a projection, healthy or not; another program might have the port by now. */
async function isProjection(url) {
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(askedMs) });
    return (await answer.json()).details?.projection !== undefined;
  } catch {
    return false;
  }
}

function urlsIn(file) {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => URL.canParse(line));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Changes the file under a lock: without it another launcher would overwrite the change with older content. */
function change(file, step) {
  const lock = `${file}.lock`;
  const until = Date.now() + lockedMs;
  while (!isTaken(lock) && Date.now() < until) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
  try {
    write(file, step(urlsIn(file)).slice(-urlsMax));
  } finally {
    rmSync(lock, { force: true });
  }
}

function isTaken(lock) {
  try {
    closeSync(openSync(lock, 'wx'));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Replaces the file in one step, so that no reader sees a part of it. */
function write(file, urls) {
  if (urls.length === 0) return rmSync(file, { force: true });
  const whole = `${file}.${process.pid}`;
  writeFileSync(whole, `${urls.join('\n')}\n`);
  renameSync(whole, file);
}
