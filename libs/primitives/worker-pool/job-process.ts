// Runs jobs in a Node process, one at a time, with limits of memory and of time, without the service's environment.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Worker } from './worker-pool.ts';

/** The messages of the process: once that it is ready, then the result of each job. */
export type FromJobProcess<Result> = { readonly type: 'ready' } | { readonly type: 'ended'; readonly result: Result };

export interface JobProcessOptions<Result> {
  /** The arguments of node: flags, then the script. */
  readonly args: readonly string[];
  /** Limit of the private memory of each process, in KiB. Node reserves 512 MiB of it for code that it never writes. */
  readonly dataKiB: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether it leads its own process group, which is killed with it: processes that it starts end when it does. */
  readonly leadsGroup?: boolean;
  /** The time limit of one job. */
  readonly timeMs: number;
  /** The result of a job that takes longer; absent: the job counts as having killed the process. */
  readonly timeoutResult?: Result;
}

/** Starting takes 400 ms at most on an idle machine. */
const startMaxMs = 20_000;
/** How much is kept of the output of a dying process: the error comes first. */
const outputUnitsMax = 300;
/** The wait for that output: it arrives after the exit event, by seconds if a large process ends on a busy machine. */
const outputWaitMs = 10_000;

/**
 * The kernel enforces the limit, and child processes inherit it. Where none can be set, as on macOS, the heap's limit
 * applies.
 */
const limitedShell = 'ulimit -d "$1" 2>/dev/null; shift; exec "$@"';

export class JobProcess<Job extends object, Result> implements Worker {
  readonly #options: JobProcessOptions<Result>;
  readonly #child: ChildProcess;
  #resolveJob: ((result: Result | undefined) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isReady = false;
  #reason: string | undefined;
  /** Why the process ends, while the rest of its output is awaited. */
  #endReason: string | undefined;
  #outputTimer: NodeJS.Timeout | undefined;
  #errorOutput = '';
  readonly #exited = Promise.withResolvers<void>();

  constructor(options: JobProcessOptions<Result>) {
    this.#options = options;
    const { args, dataKiB, cwd, env, leadsGroup = false } = options;
    this.#child = spawn('/bin/sh', ['-c', limitedShell, 'sh', String(dataKiB), process.execPath, ...args], {
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

  /** Resolves when the process has exited and its output has ended, a moment after it was killed. */
  get exited(): Promise<void> {
    return this.#exited.promise;
  }

  get isDead(): boolean {
    return (this.#reason ?? this.#endReason) !== undefined;
  }

  /** Why the process died, for the log. */
  get reason(): string {
    const output = this.#errorOutput.replace(/\s+/g, ' ').trim();
    return `${this.#reason ?? 'it lives'}${output ? `: ${output}` : ''}`;
  }

  /** Runs a job, one at a time. Undefined when the job killed the process. */
  run(job: Job): Promise<Result | undefined> {
    if (this.isDead) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<Result | undefined>();
    this.#resolveJob = resolve;
    this.#startTimer();
    // An error here is followed by 'exit' or 'error'.
    this.#child.send(job, () => {});
    return promise;
  }

  /** Reports the death at once, so that no caller waits for the process to exit. */
  kill(reason: string): void {
    if (this.#reason !== undefined) return;
    clearTimeout(this.#outputTimer);
    this.#reason = reason;
    this.#killProcess();
    this.#settle(undefined);
  }

  #listen(): void {
    const child = this.#child;
    child.on('message', (message) => this.#receive(message as FromJobProcess<Result>));
    child.on('error', (error) => {
      if (child.pid === undefined) this.#exited.resolve();
      this.kill(error.message);
    });
    child.on('disconnect', () => this.#expectExit(this.#endReason ?? 'it closed its channel'));
    child.on('exit', (code, signal) => {
      this.#exited.resolve();
      this.#expectExit(`it ended with ${signal ?? `code ${code}`}`);
    });
    child.on('close', () => this.kill(this.#endReason ?? 'it ended'));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errorOutput = (this.#errorOutput + text).slice(0, outputUnitsMax);
    });
  }

  #expectExit(how: string): void {
    this.#endReason = how;
    this.#outputTimer ??= setTimeout(() => this.kill(this.#endReason ?? how), outputWaitMs);
  }

  #receive(message: FromJobProcess<Result>): void {
    if (message.type === 'ended') return this.#settle(message.result);
    this.#isReady = true;
    if (this.#resolveJob) this.#startTimer();
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    const { timeMs, timeoutResult } = this.#options;
    this.#timer = setTimeout(
      () => {
        if (timeoutResult !== undefined) this.#settle(timeoutResult);
        this.kill(`its job took more than ${timeMs} ms`);
      },
      timeMs + (this.#isReady ? 0 : startMaxMs),
    );
  }

  #settle(result: Result | undefined): void {
    clearTimeout(this.#timer);
    this.#resolveJob?.(result);
    this.#resolveJob = undefined;
  }

  #killProcess(): void {
    const { pid } = this.#child;
    if (this.#options.leadsGroup !== true || pid === undefined) return void this.#child.kill('SIGKILL');
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The whole group has ended already.
    }
  }
}
