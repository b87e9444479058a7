// Keeps one process of an app running: restarts it when it dies, and ends it on request.
import { spawn } from 'node:child_process';
import { mergeInto, tell } from './merged-log.mjs';

/**
 * The wait before a restart: short after one crash, and bounded, so that a process is back seconds after its trouble
 * ends.
 */
const firstWaitMs = 250;
const longestWaitMs = 5_000;
/** After having run for this long, its next crash counts as a first one. */
const steadyMs = 30_000;

export class Supervised {
  #onReady;
  #name;
  #entry;
  #env;
  #out;
  #child;
  #failed;
  #ready = Promise.withResolvers();
  #isKept = false;
  #waitMs = firstWaitMs;
  #timer;
  #stopping = false;

  /** `onReady` is called with the process's URL each time it is ready. */
  constructor({ name, entry, env, out, onReady = () => {} }) {
    this.#onReady = onReady;
    this.#name = name;
    this.#entry = entry;
    this.#env = env;
    this.#out = out;
  }

  /** Resolves when it is ready; `failed` is called if it ends before `keep`: then a restart would not help. */
  start(failed) {
    this.#failed = failed;
    this.#spawn();
    return this.#ready.promise;
  }

  /** From now on it is restarted whenever it ends. */
  keep() {
    this.#isKept = true;
  }

  /** Signals the process to drain, and kills it after `killAfterMs`; resolves with whether it ended well. */
  async stop(killAfterMs) {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child === undefined) return true;
    const late = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)));
    child.kill('SIGINT');
    const well = await ended;
    clearTimeout(late);
    return well;
  }

  #spawn() {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [this.#entry], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    mergeInto(this.#out, this.#name, child);
    child.once('message', ({ ready }) => {
      this.#onReady(ready);
      this.#ready.resolve();
    });
    child.once('exit', (code, signal) => this.#ended({ code, signal, ranMs: performance.now() - startedAt }));
  }

  #ended({ code, signal, ranMs }) {
    this.#child = undefined;
    const how = signal ?? `code ${code}`;
    if (this.#stopping) return;
    if (!this.#isKept) return this.#failed(new Error(`${this.#name} did not start: it ended with ${how}`));
    if (ranMs > steadyMs) this.#waitMs = firstWaitMs;
    tell(this.#out, `${this.#name} ended with ${how}: starting it again`, { waitMs: this.#waitMs });
    this.#timer = setTimeout(() => this.#spawn(), this.#waitMs);
    this.#waitMs = Math.min(this.#waitMs * 2, longestWaitMs);
  }
}
