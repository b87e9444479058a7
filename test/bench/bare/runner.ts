// Runs components in a bare fork with bare isolates: the lower bound for the cost of a warm run.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

interface LoadRequest {
  readonly kind: 'load';
  readonly source: string;
  readonly code: string;
}

interface RunRequest {
  readonly kind: 'run';
  readonly n: number;
  readonly source: string;
  /** JSON. */
  readonly event: string;
  /** JSON. */
  readonly props: string;
}

export type RunnerRequest = LoadRequest | RunRequest;

export interface RunResult {
  readonly n: number;
  /** The emitted events as JSON. */
  readonly emits: string;
}

export class BareRunner {
  readonly #child: ChildProcess;
  readonly #pendingRuns = new Map<number, (emits: string) => void>();
  #nextId = 0;

  constructor() {
    const file = fileURLToPath(new URL(`./runner-main${extname(import.meta.url)}`, import.meta.url));
    this.#child = fork(file, { execArgv: ['--no-node-snapshot'] });
    this.#child.on('message', ({ n, emits }: RunResult) => {
      this.#pendingRuns.get(n)?.(emits);
      this.#pendingRuns.delete(n);
    });
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('The bare runner did not start');
    return this.#child.pid;
  }

  load(source: string, code: string): void {
    this.#send({ kind: 'load', source, code });
  }

  /** Returns the emitted events as JSON text. */
  run(run: Pick<RunRequest, 'source' | 'event' | 'props'>): Promise<string> {
    const n = this.#nextId++;
    this.#send({ kind: 'run', n, ...run });
    return new Promise((resolve) => this.#pendingRuns.set(n, resolve));
  }

  async end(): Promise<void> {
    this.#child.disconnect();
    await once(this.#child, 'exit');
  }

  #send(request: RunnerRequest): void {
    this.#child.send(request);
  }
}
