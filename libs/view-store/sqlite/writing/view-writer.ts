// The main thread's side of the writing thread: sends jobs in order and returns answers as promises.
import { Worker } from 'node:worker_threads';
import { PortError } from '../../../domain/port-error.ts';
import { programUrl } from '../../../primitives/files/program-file.ts';
import type { JobResponse, JobRequest, Job, WriterStart } from './writer-jobs.ts';

interface PendingJob {
  readonly resolve: (result: string) => void;
  readonly reject: (error: Error) => void;
}

export class ViewWriter {
  readonly #worker: Worker;
  /** Bounded, since each caller has at most one job pending: the projection, a rebuild and a drop. */
  readonly #pending = new Map<number, PendingJob>();
  readonly #ended: Promise<void>;
  #nextNumber = 0;
  #closedError: PortError | undefined;

  constructor(start: WriterStart) {
    this.#worker = new Worker(programUrl(import.meta.url, './writer-thread'), { workerData: start });
    this.#worker.on('message', (answer: JobResponse) => this.#settle(answer));
    this.#worker.on('error', (error) => this.#handleExit(`ended by an error (${error.message})`));
    this.#ended = new Promise((resolve) =>
      this.#worker.once('exit', () => {
        this.#handleExit('ended');
        resolve();
      }),
    );
  }

  /** Resolves with the result; throws PortError, or a plain Error for a broken invariant. */
  submit(job: Job): Promise<string> {
    if (this.#closedError !== undefined) return Promise.reject(this.#closedError);
    const number = this.#nextNumber++;
    return new Promise((resolve, reject) => {
      this.#pending.set(number, { resolve, reject });
      this.#worker.postMessage({ number, job } satisfies JobRequest);
    });
  }

  /** Closes after all jobs submitted before. */
  async close(): Promise<void> {
    if (this.#closedError === undefined) await this.submit({ kind: 'close' });
    await this.#ended;
  }

  #settle({ number, result, failure }: JobResponse): void {
    const pending = this.#pending.get(number);
    this.#pending.delete(number);
    if (failure === undefined) pending?.resolve(result);
    else if (failure.code === undefined) pending?.reject(new Error(failure.message));
    else pending?.reject(new PortError(failure.code, failure.message));
  }

  #handleExit(reason: string): void {
    this.#closedError ??= new PortError(
      'closed',
      `The thread that writes the views ${reason}. Start the product again.`,
    );
    for (const { reject } of this.#pending.values()) reject(this.#closedError);
    this.#pending.clear();
  }
}
