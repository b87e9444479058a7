// Where the projections on a data directory answer: each `npm run start:distributed` notes its own, on free ports.
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirOf } from './environment.mjs';

/** One URL a line, the newest last. */
export const projectionFile = (env) => join(dataDirOf(env), 'projection-url');

/** Launchers that were killed leave theirs behind: the oldest go. One launcher starts 32 at most. */
const urlsMax = 64;
/** Whether a process answers on this machine shows at once. */
const askedMs = 2_000;

/** A change takes a millisecond: whoever has kept others out for so long was killed meanwhile. */
const lockedMs = 2_000;
const pollMs = 5;

/** What one launcher has noted. Lines of others stay as they are. */
export class NotedProjections {
  #file;
  /** By the name of the process: one that was started again has another port. */
  #own = new Map();

  constructor(env) {
    this.#file = projectionFile(env);
  }

  note(name, url) {
    const former = this.#own.get(name);
    this.#own.set(name, url);
    change(this.#file, (urls) => [...urls.filter((one) => one !== former && one !== url), url]);
  }

  /** Once they have ended: a projection of another launcher is still to be found. */
  forget() {
    if (this.#own.size === 0) return;
    const own = new Set(this.#own.values());
    change(this.#file, (urls) => urls.filter((url) => !own.has(url)));
    this.#own.clear();
  }
}

/**
 * The port of the projection that was started last and answers, as HEALTH_PORT. Where none does it is that of the last one,
 * so that whoever asks is told. Nothing when none was started here: then HEALTH_PORT says where to ask.
 */
export async function projectionPort(env) {
  const urls = urlsIn(projectionFile(env)).reverse();
  if (urls.length === 0) return {};
  // Whether a single one still runs is asked by whoever is given its port.
  const answers = urls.length === 1 ? [true] : await Promise.all(urls.map(isProjection));
  return { HEALTH_PORT: new URL(urls[Math.max(0, answers.indexOf(true))]).port };
}

/** Also one that is not healthy; another program may have the port by now. */
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

/** While no other launcher does: it would write back what it had read before. */
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

/** In one step, so that nobody reads a part of it. */
function write(file, urls) {
  if (urls.length === 0) return rmSync(file, { force: true });
  const whole = `${file}.${process.pid}`;
  writeFileSync(whole, `${urls.join('\n')}\n`);
  renameSync(whole, file);
}
