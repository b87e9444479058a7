// Where the projections on a data directory answer: each `npm run start:distributed` notes its own, on free ports.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirOf } from './environment.mjs';

/** One URL a line, the newest last. */
export const projectionFile = (env) => join(dataDirOf(env), 'projection-url');

/** Launchers that were killed leave theirs behind: the oldest go. One launcher starts 32 at most. */
const urlsMax = 64;
/** Whether a process answers on this machine shows at once. */
const askedMs = 2_000;

/** What one launcher has noted. Lines of others stay as they are. */
export class NotedProjections {
  #file;
  /** By the name of the process: one that was started again has another port. */
  #own = new Map();

  constructor(env) {
    this.#file = projectionFile(env);
  }

  note(name, url) {
    const others = urlsIn(this.#file).filter((one) => one !== this.#own.get(name) && one !== url);
    this.#own.set(name, url);
    write(this.#file, [...others, url]);
  }

  /** Once they have ended: a projection of another launcher is still to be found. */
  forget() {
    if (this.#own.size === 0) return;
    const own = new Set(this.#own.values());
    write(
      this.#file,
      urlsIn(this.#file).filter((url) => !own.has(url)),
    );
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

function write(file, urls) {
  if (urls.length === 0) rmSync(file, { force: true });
  else writeFileSync(file, `${urls.slice(-urlsMax).join('\n')}\n`);
}
