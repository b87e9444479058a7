// Runs the few threads for slow cryptography: starts them for work, ends them when idle, and queues further jobs.
import { Worker } from 'node:worker_threads';
import type { Done, Job } from './worker.ts';

/** The queue is at most as long as the number of isolates, because an isolate waits for its operation. */
const workersMax = 2;
/** Starting a thread takes some 30 ms. */
const idleMaxMs = 10_000;
/** Work within the limits takes two seconds; ten times as long means a faulty machine. */
const jobMaxMs = 20_000;

interface Waiting {
  readonly job: Job;
  readonly begun: () => void;
  readonly resolve: (done: Done) => void;
}

interface Thread {
  readonly worker: Worker;
  current: Waiting | undefined;
  timer: NodeJS.Timeout | undefined;
}

const script = new URL(`./worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

const failed = (why: string): Done => ({ answer: [why], cpuNs: 0 });

export class CryptoWorkers {
  readonly #threads = new Set<Thread>();
  readonly #line: Waiting[] = [];

  /** `begun` is called when the job starts. Never rejects. */
  run(job: Job, begun: () => void): Promise<Done> {
    const { promise, resolve } = Promise.withResolvers<Done>();
    this.#line.push({ job, begun, resolve });
    this.#next();
    return promise;
  }

  #next(): void {
    if (this.#line.length === 0) return;
    const idle = [...this.#threads].find(({ current }) => current === undefined);
    const thread = idle ?? (this.#threads.size < workersMax ? this.#start() : undefined);
    if (thread !== undefined) this.#give(thread, this.#line.shift());
  }

  #give(thread: Thread, waiting: Waiting | undefined): void {
    if (waiting === undefined) return;
    thread.current = waiting;
    this.#within(thread, jobMaxMs, () => this.#drop(thread, 'The operation took too long'));
    waiting.begun();
    thread.worker.postMessage(waiting.job);
  }

  #start(): Thread {
    // Captures the thread's output, which is ignored.
    const worker = new Worker(script, { stdout: true, stderr: true });
    const thread: Thread = { worker, current: undefined, timer: undefined };
    this.#threads.add(thread);
    worker.on('message', (done: Done) => this.#done(thread, done));
    worker.on('error', () => this.#drop(thread, 'The operation ended its thread'));
    return thread;
  }

  #done(thread: Thread, done: Done): void {
    if (!this.#threads.has(thread)) return;
    const waiting = thread.current;
    thread.current = undefined;
    this.#within(thread, idleMaxMs, () => this.#drop(thread, ''));
    waiting?.resolve(done);
    this.#next();
  }

  /** A thread that cannot be stopped continues until its operation ends, but its job is answered now. */
  #drop(thread: Thread, why: string): void {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.timer);
    void thread.worker.terminate();
    thread.current?.resolve(failed(why));
    this.#next();
  }

  #within(thread: Thread, maxMs: number, then: () => void): void {
    clearTimeout(thread.timer);
    thread.timer = setTimeout(then, maxMs);
  }
}
