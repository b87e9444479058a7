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
const startMaxMs = 20_000;
/** Usually the isolate stops a call within a second; V8 cannot stop some. */
const callMaxMs = 5_000;
/** Private memory in KiB: isolates take 430 MiB at most, the rest stops a memory bomb. V8's longest text exceeds it. */
const dataKiB = 544 * 1024;
/**
 * V8 makes no machine code, for which it would reserve 512 MiB of private memory with each isolate, so that the second
 * isolate would end the process. Texts are evaluated anew for each event, so machine code would rarely be made in time.
 */
const interpreted = '--jitless';
/** Texts remembered as sent to the process, which might have dropped some. */
const givenMax = 1_000;
/** Slow transforms have low priority on the machine. */
const slowNiceness = 10;

/** The kernel limits the memory where it can; elsewhere only `callMaxMs` stops a memory bomb. */
const bounded = 'ulimit -d "$1" 2>/dev/null; shift; exec "$@"';

export class TransformProcess implements Worker {
  readonly #child: ChildProcess;
  readonly #given = new Set<string>();
  #answered: ((message: FromTransforms | undefined) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isReady = false;
  #dead = false;

  constructor(isSlow: boolean) {
    const node = [process.execPath, '--no-node-snapshot', interpreted, ...permissionFlags([]), ...processScript()];
    this.#child = spawn('/bin/sh', ['-c', bounded, 'sh', String(dataKiB), ...node], {
      cwd: '/',
      env: { ...runnerEnv(), TZ: 'UTC' },
      serialization: 'json',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#listen();
    if (isSlow) this.#yield();
  }

  get isDead(): boolean {
    return this.#dead;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** One call at a time. Undefined if the process died meanwhile. */
  async run({ text, ...call }: TransformOrder): Promise<Done | undefined> {
    const isKnown = this.#given.has(call.key);
    const first = await this.#ask(isKnown ? call : { ...call, text });
    const message = first?.type === 'missing' ? await this.#ask({ ...call, text }) : first;
    if (this.#given.size >= givenMax) this.#given.clear();
    this.#given.add(call.key);
    return message?.type === 'done' ? message : undefined;
  }

  kill(): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#child.kill('SIGKILL');
    this.#settle(undefined);
  }

  #ask(call: ToTransforms): Promise<FromTransforms | undefined> {
    if (this.#dead) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<FromTransforms | undefined>();
    this.#answered = resolve;
    this.#watch();
    // An error here is followed by 'exit' or 'error'.
    this.#child.send(call, () => {});
    return promise;
  }

  #listen(): void {
    this.#child.on('message', (message) => this.#take(message as FromTransforms));
    for (const end of ['error', 'exit', 'disconnect'] as const) this.#child.on(end, () => this.kill());
  }

  #take(message: FromTransforms): void {
    if (message.type !== 'ready') return this.#settle(message);
    this.#isReady = true;
    if (this.#answered !== undefined) this.#watch();
  }

  /** Call before the process starts threads, which inherit the priority. Has no effect where it is forbidden. */
  #yield(): void {
    try {
      if (this.#child.pid !== undefined) setPriority(this.#child.pid, slowNiceness);
    } catch {
      return;
    }
  }

  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.kill(), callMaxMs + (this.#isReady ? 0 : startMaxMs));
  }

  #settle(message: FromTransforms | undefined): void {
    clearTimeout(this.#timer);
    this.#answered?.(message);
    this.#answered = undefined;
  }
}
