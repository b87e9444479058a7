// Runs the few threads for slow cryptography: starts them for work, ends them when idle, and queues further jobs.
import { Worker } from 'node:worker_threads';
import { programUrl } from '../../../../primitives/files/program-file.ts';
import type { JobResult, Job } from './worker.ts';

/** The queue is at most as long as the number of isolates, because an isolate waits for its operation. */
const workersMax = 2;
/** Starting a thread takes some 30 ms. */
const idleMaxMs = 10_000;
/** Work within the limits takes two seconds; ten times as long means a faulty machine. */
const jobMaxMs = 20_000;

interface QueuedJob {
  readonly job: Job;
  readonly onStart: () => void;
  readonly resolve: (result: JobResult) => void;
}

interface Thread {
  readonly worker: Worker;
  current: QueuedJob | undefined;
  timer: NodeJS.Timeout | undefined;
}

const script = programUrl(import.meta.url, './worker');

const failedJob = (reason: string): JobResult => ({ answer: [reason], cpuNs: 0 });

export class CryptoWorkers {
  readonly #threads = new Set<Thread>();
  readonly #queue: QueuedJob[] = [];

  /** `onStart` is called when the job starts. Never rejects. */
  run(job: Job, onStart: () => void): Promise<JobResult> {
    const { promise, resolve } = Promise.withResolvers<JobResult>();
    this.#queue.push({ job, onStart, resolve });
    this.#startNext();
    return promise;
  }

  #startNext(): void {
    if (this.#queue.length === 0) return;
    const idle = [...this.#threads].find(({ current }) => current === undefined);
    const thread = idle ?? (this.#threads.size < workersMax ? this.#start() : undefined);
    if (thread !== undefined) this.#assign(thread, this.#queue.shift());
  }

  #assign(thread: Thread, queued: QueuedJob | undefined): void {
    if (queued === undefined) return;
    thread.current = queued;
    this.#restartTimer(thread, jobMaxMs, () => this.#discard(thread, 'The operation took too long'));
    queued.onStart();
    thread.worker.postMessage(queued.job);
  }

  #start(): Thread {
    // Captures the thread's output, which is ignored.
    const worker = new Worker(script, { stdout: true, stderr: true });
    const thread: Thread = { worker, current: undefined, timer: undefined };
    this.#threads.add(thread);
    worker.on('message', (result: JobResult) => this.#handleResult(thread, result));
    worker.on('error', () => this.#discard(thread, 'The operation ended its thread'));
    return thread;
  }

  #handleResult(thread: Thread, result: JobResult): void {
    if (!this.#threads.has(thread)) return;
    const queued = thread.current;
    thread.current = undefined;
    this.#restartTimer(thread, idleMaxMs, () => this.#discard(thread, ''));
    queued?.resolve(result);
    this.#startNext();
  }

  /** A thread that cannot be stopped continues until its operation ends, but its job is answered now. */
  #discard(thread: Thread, reason: string): void {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.timer);
    void thread.worker.terminate();
    thread.current?.resolve(failedJob(reason));
    this.#startNext();
  }

  #restartTimer(thread: Thread, maxMs: number, onTimeout: () => void): void {
    clearTimeout(thread.timer);
    thread.timer = setTimeout(onTimeout, maxMs);
  }
}
