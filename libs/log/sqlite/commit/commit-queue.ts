// The main thread's side of the commit thread: sends orders, passes on outcomes, and notices when the thread ends.
import { Worker } from 'node:worker_threads';
import { PortError } from '../../../domain/port-error.ts';
import { sibling } from '../sibling.ts';
import type { Done, FromThread, Order, Outcome, PackedDone, ThreadData, ToThread } from './order.ts';
import { packAppend, unpackDone } from './crossing/flat.ts';

/** The most bytes that wait for the disk, some seconds at its best speed. Beyond that, appends are rejected. */
const waitingBytesMax = 128 * 1024 * 1024;
/** Orders of the same moment share a message up to this many bytes; the cost of a message is small next to these. */
const togetherBytesMax = 64 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly done: (outcome: Done) => void;
  readonly failed: (error: PortError) => void;
}

export class CommitQueue {
  readonly #thread: Worker;
  readonly #file: string;
  readonly #ended: Promise<void>;
  readonly #waiting = new Map<number, Waiting>();
  #waitingBytes = 0;
  /** Orders that were submitted, but not sent yet. */
  #unsent: ToThread[] = [];
  #unsentBytes = 0;
  #lastId = 0;
  #closed: PortError | undefined;
  #started: { resolve: () => void; reject: (error: Error) => void } | undefined;
  #afterCommit = (): void => {};
  #afterEnd = (): void => {};

  private constructor(thread: Worker, file: string) {
    this.#thread = thread;
    this.#file = file;
    let reason: unknown;
    thread.on('message', (message: FromThread) => this.#receive(message));
    thread.on('error', (error) => (reason = error));
    this.#ended = new Promise((resolve) => {
      thread.once('exit', (code) => {
        this.#end(reason ?? `exit code ${code}`);
        resolve();
      });
    });
  }

  /** Resolves once the thread has opened the file; throws PortError `mismatch`, `corrupt` or `unavailable`. */
  static async start(data: ThreadData, threadFile = sibling(import.meta.url, './commit-thread')): Promise<CommitQueue> {
    const queue = new CommitQueue(new Worker(threadFile, { workerData: data, name: 'log-commit' }), data.file);
    await new Promise<void>((resolve, reject) => (queue.#started = { resolve, reject }));
    return queue;
  }

  /** Calls `after` once the outcomes of a commit were passed on, for each commit. */
  onCommit(after: () => void): void {
    this.#afterCommit = after;
  }

  /** Calls `after` once the thread has ended, at a close or by itself. */
  onEnd(after: () => void): void {
    this.#afterEnd = after;
  }

  /** The error with which orders are rejected; undefined while they are accepted. */
  get closed(): PortError | undefined {
    return this.#closed;
  }

  nextId(): number {
    return ++this.#lastId;
  }

  /** Calls `done` in the turn in which the outcome of the commit arrives, before the promise resolves. */
  submit<T>(order: Order, done: (outcome: Done) => T): Promise<T> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    if (this.#waitingBytes > 0 && this.#waitingBytes + order.bytes > waitingBytesMax)
      return Promise.reject(
        new PortError(
          'unavailable',
          `the disk of the log ${this.#file} is ${this.#waitingBytes} bytes behind; nothing was written`,
        ),
      );
    return new Promise((resolve, reject) => {
      this.#waitingBytes += order.bytes;
      this.#waiting.set(order.id, { bytes: order.bytes, done: (outcome) => resolve(done(outcome)), failed: reject });
      this.#send(order.kind === 'append' ? packAppend(order) : order, order.bytes);
    });
  }

  /** Closes once everything that was submitted has been carried out. */
  async close(): Promise<void> {
    if (this.#closed === undefined) {
      this.#closed = new PortError('closed', `the log ${this.#file} was closed`);
      this.#send({ kind: 'close' }, 0);
    }
    await this.#ended;
  }

  /**
   * Sends the orders of this moment in one message at the next tick: each message wakes the thread, which takes longer
   * than packing an append, and the orders of a message share a commit.
   */
  #send(order: ToThread, bytes: number): void {
    if (this.#unsent.length === 0) process.nextTick(() => this.#sendAll());
    this.#unsent.push(order);
    this.#unsentBytes += bytes;
    if (this.#unsentBytes >= togetherBytesMax) this.#sendAll();
  }

  #sendAll(): void {
    if (this.#unsent.length === 0) return;
    this.#thread.postMessage(this.#unsent satisfies readonly ToThread[]);
    this.#unsent = [];
    this.#unsentBytes = 0;
  }

  #receive(message: FromThread): void {
    if (message.type === 'ready') return this.#started?.resolve();
    if (message.type === 'refused') return this.#started?.reject(new PortError(message.code, message.message));
    for (const outcome of message.outcomes) this.#settle(outcome);
    this.#afterCommit();
  }

  #settle(given: Outcome | PackedDone): void {
    const outcome = 'id' in given ? given : unpackDone(given);
    const waiting = this.#waiting.get(outcome.id);
    if (waiting === undefined) return;
    this.#waiting.delete(outcome.id);
    this.#waitingBytes -= waiting.bytes;
    if ('code' in outcome) waiting.failed(new PortError(outcome.code, outcome.message));
    else waiting.done(outcome);
  }

  /** Rejects the orders already sent: they might have been committed, which only opening the log again can tell. */
  #end(reason: unknown): void {
    const why = reason instanceof Error ? reason.message : String(reason);
    const cause = reason instanceof Error ? reason : undefined;
    this.#closed ??= new PortError(
      'closed',
      `the commit thread of the log ${this.#file} ended (${why}): start again`,
      cause,
    );
    this.#started?.reject(this.#closed);
    const unknown = new PortError(
      'unknown_outcome',
      `the commit thread of the log ${this.#file} ended (${why})`,
      cause,
    );
    for (const { failed } of this.#waiting.values()) failed(unknown);
    this.#waiting.clear();
    this.#waitingBytes = 0;
    this.#afterEnd();
  }
}
