// The main thread's side of the commit thread: sends orders, passes on outcomes, and notices when the thread ends.
import { Worker } from 'node:worker_threads';
import { PortError } from '../../../domain/port-error.ts';
import { programUrl } from '../../../primitives/files/program-file.ts';
import type {
  CompletedOrder,
  CommitThreadReply,
  Order,
  OrderOutcome,
  PackedOutcome,
  ThreadData,
  CommitThreadMessage,
} from './order.ts';
import { packAppend, unpackOutcome } from './messages/flat-messages.ts';

/** The most bytes that wait for the disk, some seconds at its best speed. Beyond that, appends are rejected. */
const pendingBytesMax = 128 * 1024 * 1024;
/** Orders of the same moment share a message up to this many bytes; the cost of a message is small next to these. */
const messageBytesMax = 64 * 1024;

interface PendingOrder {
  readonly bytes: number;
  readonly done: (outcome: CompletedOrder) => void;
  readonly failed: (error: PortError) => void;
}

export class CommitQueue {
  readonly #thread: Worker;
  readonly #file: string;
  readonly #ended: Promise<void>;
  readonly #pending = new Map<number, PendingOrder>();
  #pendingBytes = 0;
  /** Orders that were submitted, but not sent yet. */
  #unsent: CommitThreadMessage[] = [];
  #unsentBytes = 0;
  #lastId = 0;
  #closedError: PortError | undefined;
  #started: { resolve: () => void; reject: (error: Error) => void } | undefined;
  #afterCommit = (): void => {};
  #afterEnd = (): void => {};

  private constructor(thread: Worker, file: string) {
    this.#thread = thread;
    this.#file = file;
    let reason: unknown;
    thread.on('message', (message: CommitThreadReply) => this.#receive(message));
    thread.on('error', (error) => (reason = error));
    this.#ended = new Promise((resolve) => {
      thread.once('exit', (code) => {
        this.#handleExit(reason ?? `exit code ${code}`);
        resolve();
      });
    });
  }

  /** Resolves once the thread has opened the file; throws PortError `mismatch`, `corrupt` or `unavailable`. */
  static async start(
    data: ThreadData,
    threadFile = programUrl(import.meta.url, './commit-thread'),
  ): Promise<CommitQueue> {
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
  get closedError(): PortError | undefined {
    return this.#closedError;
  }

  nextId(): number {
    return ++this.#lastId;
  }

  /** Calls `done` in the turn in which the outcome of the commit arrives, before the promise resolves. */
  submit<T>(order: Order, done: (outcome: CompletedOrder) => T): Promise<T> {
    if (this.#closedError !== undefined) return Promise.reject(this.#closedError);
    if (this.#pendingBytes > 0 && this.#pendingBytes + order.bytes > pendingBytesMax)
      return Promise.reject(
        new PortError(
          'unavailable',
          `the disk of the log ${this.#file} is ${this.#pendingBytes} bytes behind; nothing was written`,
        ),
      );
    return new Promise((resolve, reject) => {
      this.#pendingBytes += order.bytes;
      this.#pending.set(order.id, { bytes: order.bytes, done: (outcome) => resolve(done(outcome)), failed: reject });
      this.#send(order.kind === 'append' ? packAppend(order) : order, order.bytes);
    });
  }

  /** Closes once everything that was submitted has been carried out. */
  async close(): Promise<void> {
    if (this.#closedError === undefined) {
      this.#closedError = new PortError('closed', `the log ${this.#file} was closed`);
      this.#send({ kind: 'close' }, 0);
    }
    await this.#ended;
  }

  /**
   * Sends the orders of this moment in one message at the next tick: each message wakes the thread, which takes longer
   * than packing an append, and the orders of a message share a commit.
   */
  #send(order: CommitThreadMessage, bytes: number): void {
    if (this.#unsent.length === 0) process.nextTick(() => this.#sendAll());
    this.#unsent.push(order);
    this.#unsentBytes += bytes;
    if (this.#unsentBytes >= messageBytesMax) this.#sendAll();
  }

  #sendAll(): void {
    if (this.#unsent.length === 0) return;
    this.#thread.postMessage(this.#unsent satisfies readonly CommitThreadMessage[]);
    this.#unsent = [];
    this.#unsentBytes = 0;
  }

  #receive(message: CommitThreadReply): void {
    if (message.type === 'ready') return this.#started?.resolve();
    if (message.type === 'refused') return this.#started?.reject(new PortError(message.code, message.message));
    for (const outcome of message.outcomes) this.#settle(outcome);
    this.#afterCommit();
  }

  #settle(received: OrderOutcome | PackedOutcome): void {
    const outcome = 'id' in received ? received : unpackOutcome(received);
    const pending = this.#pending.get(outcome.id);
    if (pending === undefined) return;
    this.#pending.delete(outcome.id);
    this.#pendingBytes -= pending.bytes;
    if ('code' in outcome) pending.failed(new PortError(outcome.code, outcome.message));
    else pending.done(outcome);
  }

  /** Rejects the orders already sent: they might have been committed, which only opening the log again can tell. */
  #handleExit(reason: unknown): void {
    const detail = reason instanceof Error ? reason.message : String(reason);
    const cause = reason instanceof Error ? reason : undefined;
    this.#closedError ??= new PortError(
      'closed',
      `the commit thread of the log ${this.#file} ended (${detail}): start again`,
      cause,
    );
    this.#started?.reject(this.#closedError);
    const unknownOutcome = new PortError(
      'unknown_outcome',
      `the commit thread of the log ${this.#file} ended (${detail})`,
      cause,
    );
    for (const { failed } of this.#pending.values()) failed(unknownOutcome);
    this.#pending.clear();
    this.#pendingBytes = 0;
    this.#afterEnd();
  }
}
