// Starts one process of transforms, limits its memory, and kills it if a call exceeds every limit.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { permissionFlags, runnerEnv } from '../control/runner-process.ts';
import type { Worker } from '../../../primitives/worker-pool/worker-pool.ts';
import { processScript } from './process-script.ts';
import type { FromTransforms, ToTransforms } from './transform-protocol.ts';

export type Done = Extract<FromTransforms, { type: 'done' }>;
export type TransformOrder = ToTransforms & { readonly text: string };

/** Starting takes 150 ms on an idle machine. */
const startTimeoutMs = 20_000;
/** Usually the isolate stops a call within a second; V8 cannot stop some. */
const callTimeoutMs = 5_000;
/** Private memory in KiB: isolates take 430 MiB at most, the rest stops a memory bomb. V8's longest text exceeds it. */
const dataKiB = 544 * 1024;
/**
 * V8 makes no machine code, for which it would reserve 512 MiB of private memory with each isolate, so that the second
 * isolate would end the process. Texts are evaluated anew for each event, so machine code would rarely be made in time.
 */
const jitlessFlag = '--jitless';
/** Texts remembered as sent to the process, which might have dropped some. */
const sentTextsMax = 1_000;
/** Slow transforms have low priority on the machine. */
const slowNiceness = 10;

/** The kernel limits the memory where it can; elsewhere only `callTimeoutMs` stops a memory bomb. */
const ulimitScript = 'ulimit -d "$1" 2>/dev/null; shift; exec "$@"';

export class TransformProcess implements Worker {
  readonly #child: ChildProcess;
  readonly #sentTexts = new Set<string>();
  #resolveCall: ((message: FromTransforms | undefined) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isReady = false;
  #dead = false;

  constructor(isSlow: boolean) {
    const node = [process.execPath, '--no-node-snapshot', jitlessFlag, ...permissionFlags([]), ...processScript()];
    this.#child = spawn('/bin/sh', ['-c', ulimitScript, 'sh', String(dataKiB), ...node], {
      cwd: '/',
      env: { ...runnerEnv(), TZ: 'UTC' },
      serialization: 'json',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#listen();
    if (isSlow) this.#lowerPriority();
  }

  get isDead(): boolean {
    return this.#dead;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** One call at a time. Undefined if the process died meanwhile. */
  async run({ text, ...call }: TransformOrder): Promise<Done | undefined> {
    const wasSent = this.#sentTexts.has(call.key);
    const first = await this.#sendCall(wasSent ? call : { ...call, text });
    const message = first?.type === 'missing' ? await this.#sendCall({ ...call, text }) : first;
    if (this.#sentTexts.size >= sentTextsMax) this.#sentTexts.clear();
    this.#sentTexts.add(call.key);
    return message?.type === 'done' ? message : undefined;
  }

  kill(): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#child.kill('SIGKILL');
    this.#settle(undefined);
  }

  #sendCall(call: ToTransforms): Promise<FromTransforms | undefined> {
    if (this.#dead) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<FromTransforms | undefined>();
    this.#resolveCall = resolve;
    this.#watch();
    // An error here is followed by 'exit' or 'error'.
    this.#child.send(call, () => {});
    return promise;
  }

  #listen(): void {
    this.#child.on('message', (message) => this.#receive(message as FromTransforms));
    for (const end of ['error', 'exit', 'disconnect'] as const) this.#child.on(end, () => this.kill());
  }

  #receive(message: FromTransforms): void {
    if (message.type !== 'ready') return this.#settle(message);
    this.#isReady = true;
    if (this.#resolveCall !== undefined) this.#watch();
  }

  /** Call before the process starts threads, which inherit the priority. Has no effect where it is forbidden. */
  #lowerPriority(): void {
    try {
      if (this.#child.pid !== undefined) setPriority(this.#child.pid, slowNiceness);
    } catch {
      return;
    }
  }

  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.kill(), callTimeoutMs + (this.#isReady ? 0 : startTimeoutMs));
  }

  #settle(message: FromTransforms | undefined): void {
    clearTimeout(this.#timer);
    this.#resolveCall?.(message);
    this.#resolveCall = undefined;
  }
}
