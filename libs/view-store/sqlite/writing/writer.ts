// The main thread's side of the writing thread: sends jobs in order and returns answers as promises.
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { PortError } from '../../../domain/port-error.ts';
import type { Answer, Asked, Job, WriterStart } from './writer-jobs.ts';

interface Waiting {
  readonly resolve: (result: string) => void;
  readonly reject: (error: Error) => void;
}

/** The thread's file is TypeScript when run from source, and JavaScript when built. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const program = fileURLToPath(new URL(`./writer-thread${extension}`, import.meta.url));

export class ViewWriter {
  readonly #worker: Worker;
  /** Bounded, since each caller has at most one job pending: the projection, a rebuild and a drop. */
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  #asked = 0;
  #over: PortError | undefined;

  constructor(start: WriterStart) {
    this.#worker = new Worker(program, { workerData: start });
    this.#worker.on('message', (answer: Answer) => this.#settle(answer));
    this.#worker.on('error', (error) => this.#end(`ended by an error (${error.message})`));
    this.#ended = new Promise((resolve) =>
      this.#worker.once('exit', () => {
        this.#end('ended');
        resolve();
      }),
    );
  }

  /** Resolves with the result; throws PortError, or a plain Error for a broken invariant. */
  ask(job: Job): Promise<string> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    const number = this.#asked++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#worker.postMessage({ number, job } satisfies Asked);
    });
  }

  /** Closes after all jobs submitted before. */
  async close(): Promise<void> {
    if (this.#over === undefined) await this.ask({ kind: 'close' });
    await this.#ended;
  }

  #settle({ number, result, failure }: Answer): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (failure === undefined) waiting?.resolve(result);
    else if (failure.code === undefined) waiting?.reject(new Error(failure.message));
    else waiting?.reject(new PortError(failure.code, failure.message));
  }

  #end(how: string): void {
    this.#over ??= new PortError('closed', `The thread that writes the views ${how}. Start the product again.`);
    for (const { reject } of this.#waiting.values()) reject(this.#over);
    this.#waiting.clear();
  }
}
