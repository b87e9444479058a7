// One compiler process as the product sees it: limited in time and memory, without the product's environment.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from '../../../../primitives/worker-pool/worker-pool.ts';
import type { BundleJob, BundleResult } from '../../bundling/job.ts';

export interface CompilerLimits {
  /** The time of one compile. The largest component of one text takes 0.5 s; nested functions or labels can take minutes. */
  readonly timeMs: number;
  /**
   * Private memory of each of the two processes, in KiB. Node reserves 512 MiB of it for code that it never writes, and
   * runs in 600,000. esbuild's stack doubles as it grows; within this limit, 256 MiB is its last step.
   */
  readonly dataKiB: number;
  /** The heap of the wrapper, which holds a component, what it is bundled of, and the result. */
  readonly heapMb: number;
  /** A compile that takes this long has needed much memory, which esbuild keeps: the next one gets a fresh process. */
  readonly longMs: number;
}

export const compilerLimits: CompilerLimits = { timeMs: 10_000, dataKiB: 704 * 1024, heapMb: 96, longMs: 1_000 };

/** For components with packages: some thousand files of up to 200 MiB, most of which are not read. */
export const bundlerLimits: CompilerLimits = { timeMs: 60_000, dataKiB: 1_280 * 1024, heapMb: 320, longMs: 5_000 };

export type FromCompiler = { readonly type: 'ready' } | { readonly type: 'compiled'; readonly result: BundleResult };

/** Starting takes 100 ms on an idle machine. */
const startMaxMs = 20_000;
/** How much is kept of what a dying process prints: Go names the fault first. */
const lastWordsUnits = 300;
/** For esbuild: one thread, so that a compile takes one core; frees memory before its limit; prints no stack. */
const env = { GOMAXPROCS: '1', GOMEMLIMIT: '512MiB', GOTRACEBACK: 'none' };

/** The kernel sets the limit, and esbuild inherits it. Where none is set, as on macOS, Go's own 1 GB of stack is. */
const bounded = 'ulimit -d "$1" 2>/dev/null; shift; exec "$@"';

const script = join(dirname(fileURLToPath(import.meta.url)), import.meta.url.endsWith('.ts') ? 'main.ts' : 'main.js');

export class CompilerProcess implements Worker {
  readonly #limits: CompilerLimits;
  readonly #child: ChildProcess;
  #compiling: ((result: BundleResult | undefined) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isReady = false;
  #dead = false;
  #reason: string | undefined;
  #lastWords = '';

  constructor(limits: CompilerLimits = compilerLimits) {
    this.#limits = limits;
    const node = [process.execPath, `--max-old-space-size=${limits.heapMb}`, script];
    this.#child = spawn('/bin/sh', ['-c', bounded, 'sh', String(limits.dataKiB), ...node], {
      // A group of its own, so that esbuild is killed with it.
      detached: true,
      cwd: '/',
      env,
      serialization: 'json',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#listen();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isDead(): boolean {
    return this.#dead;
  }

  /** Why it died, for the log. */
  get reason(): string {
    const words = this.#lastWords.replace(/\s+/g, ' ').trim();
    return `${this.#reason ?? 'it lives'}${words ? `: ${words}` : ''}`;
  }

  /** One at a time. Undefined when the process died of it. */
  compile(job: BundleJob): Promise<BundleResult | undefined> {
    if (this.#dead) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<BundleResult | undefined>();
    this.#compiling = resolve;
    this.#watch();
    // An error here is followed by 'exit' or 'error'.
    this.#child.send(job, () => {});
    return promise;
  }

  /** Reports the death at once, so that nothing waits for the process to go. */
  kill(reason: string): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#reason ??= reason;
    this.#killGroup();
    this.#settle(undefined);
  }

  #listen(): void {
    const child = this.#child;
    child.on('message', (message) => this.#take(message as FromCompiler));
    child.on('error', (error) => this.kill(error.message));
    child.on('exit', (code, signal) => this.kill(`it ended with ${signal ?? `code ${code}`}`));
    child.on('disconnect', () => this.kill('it closed its channel'));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(0, lastWordsUnits);
    });
  }

  #take(message: FromCompiler): void {
    if (message.type === 'compiled') return this.#settle(message.result);
    this.#isReady = true;
    if (this.#compiling) this.#watch();
  }

  #watch(): void {
    clearTimeout(this.#timer);
    const waitMs = this.#limits.timeMs + (this.#isReady ? 0 : startMaxMs);
    this.#timer = setTimeout(() => this.kill(`it compiled for more than ${this.#limits.timeMs} ms`), waitMs);
  }

  #settle(result: BundleResult | undefined): void {
    clearTimeout(this.#timer);
    this.#compiling?.(result);
    this.#compiling = undefined;
  }

  #killGroup(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The whole group has gone already.
    }
  }
}
