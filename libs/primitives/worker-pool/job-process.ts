// A Node process that takes jobs one at a time, limited in memory and each job in time; without the service's environment.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Worker } from './worker-pool.ts';

/** What it says over its channel: once that it can begin, then how each job has ended. */
export type FromJobProcess<Result> = { readonly type: 'ready' } | { readonly type: 'ended'; readonly result: Result };

export interface JobProcessOptions<Result> {
  /** What node is started with: flags, then the script. */
  readonly args: readonly string[];
  /** Private memory of each process, in KiB. Node reserves 512 MiB of it for code that it never writes. */
  readonly dataKiB: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** It leads a group of its own, which is killed with it: what it starts ends when it does. */
  readonly leadsGroup?: boolean;
  /** The time of one job. */
  readonly timeMs: number;
  /** The result of a job that takes longer; absent: the process has died of it. */
  readonly late?: Result;
}

/** Starting takes 400 ms at most on an idle machine. */
const startMaxMs = 20_000;
/** How much is kept of what a dying process prints: the fault comes first. */
const lastWordsUnits = 300;
/** They arrive behind the news of its end, seconds later where a large process ends on a busy machine. */
const lastWordsMs = 10_000;

/** The kernel sets the limit, and what it starts inherits it. Where none is set, as on macOS, that of the heap holds. */
const bounded = 'ulimit -d "$1" 2>/dev/null; shift; exec "$@"';

export class JobProcess<Job extends object, Result> implements Worker {
  readonly #options: JobProcessOptions<Result>;
  readonly #child: ChildProcess;
  #working: ((result: Result | undefined) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isReady = false;
  #reason: string | undefined;
  /** Why it ends, while the rest of its output is awaited. */
  #ending: string | undefined;
  #awaiting: NodeJS.Timeout | undefined;
  #lastWords = '';
  readonly #gone = Promise.withResolvers<void>();

  constructor(options: JobProcessOptions<Result>) {
    this.#options = options;
    const { args, dataKiB, cwd, env, leadsGroup = false } = options;
    this.#child = spawn('/bin/sh', ['-c', bounded, 'sh', String(dataKiB), process.execPath, ...args], {
      detached: leadsGroup,
      cwd,
      env,
      serialization: 'json',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#listen();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves once the process has exited and writes nothing more, a moment after it was killed. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  get isDead(): boolean {
    return (this.#reason ?? this.#ending) !== undefined;
  }

  /** Why it died, for the log. */
  get reason(): string {
    const words = this.#lastWords.replace(/\s+/g, ' ').trim();
    return `${this.#reason ?? 'it lives'}${words ? `: ${words}` : ''}`;
  }

  /** One at a time. Undefined when the process died of it. */
  take(job: Job): Promise<Result | undefined> {
    if (this.isDead) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<Result | undefined>();
    this.#working = resolve;
    this.#watch();
    // An error here is followed by 'exit' or 'error'.
    this.#child.send(job, () => {});
    return promise;
  }

  /** Reports the death at once, so that nothing waits for the process to go. */
  kill(reason: string): void {
    if (this.#reason !== undefined) return;
    clearTimeout(this.#awaiting);
    this.#reason = reason;
    this.#end();
    this.#settle(undefined);
  }

  #listen(): void {
    const child = this.#child;
    child.on('message', (message) => this.#hear(message as FromJobProcess<Result>));
    child.on('error', (error) => {
      if (child.pid === undefined) this.#gone.resolve();
      this.kill(error.message);
    });
    child.on('disconnect', () => this.#ends(this.#ending ?? 'it closed its channel'));
    child.on('exit', (code, signal) => {
      this.#gone.resolve();
      this.#ends(`it ended with ${signal ?? `code ${code}`}`);
    });
    child.on('close', () => this.kill(this.#ending ?? 'it ended'));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(0, lastWordsUnits);
    });
  }

  #ends(how: string): void {
    this.#ending = how;
    this.#awaiting ??= setTimeout(() => this.kill(this.#ending ?? how), lastWordsMs);
  }

  #hear(message: FromJobProcess<Result>): void {
    if (message.type === 'ended') return this.#settle(message.result);
    this.#isReady = true;
    if (this.#working) this.#watch();
  }

  #watch(): void {
    clearTimeout(this.#timer);
    const { timeMs, late } = this.#options;
    this.#timer = setTimeout(
      () => {
        if (late !== undefined) this.#settle(late);
        this.kill(`its job took more than ${timeMs} ms`);
      },
      timeMs + (this.#isReady ? 0 : startMaxMs),
    );
  }

  #settle(result: Result | undefined): void {
    clearTimeout(this.#timer);
    this.#working?.(result);
    this.#working = undefined;
  }

  #end(): void {
    const { pid } = this.#child;
    if (this.#options.leadsGroup !== true || pid === undefined) return void this.#child.kill('SIGKILL');
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The whole group has gone already.
    }
  }
}
