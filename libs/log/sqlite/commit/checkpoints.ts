// Keeps the write-ahead log small without making appends wait: another thread copies it into the file while commits go on.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { sibling } from '../sibling.ts';
import type { ReadyOrder } from './order.ts';
import type { CheckpointData, Checkpointed, ToCheckpointThread } from './checkpoint-thread.ts';

const MiB = 1024 * 1024;
/** A checkpoint begins once this much is not yet in the file: its syncs cost little compared with so many bytes. */
const stepBytes = 16 * MiB;
/** Size of the -wal file after a checkpoint. Opening the log after a kill reads it, in 0.1 s or so. */
export const walBytesMax = 32 * MiB;
/** Above this size, commits wait for the checkpoint under way, so the file grows no faster than it is copied ... */
const walBytesWhileCopying = 64 * MiB;
/** ... for this long at most: the disk may hang. */
const copyMaxMs = 5_000;
/** The file may grow by this much before its size is looked at, which takes a fifth of the time of a small commit. */
const unlookedBytesMax = 2 * MiB;
/** What a row adds besides its own bytes, at most: a page of the table, two of its indexes, and one above them ... */
const rowOverheadBytes = 16 * 1024;
/** ... and what each of its bytes adds, since pages are not filled. */
const bytesPerByte = 2;

interface Frames {
  /** In the -wal file. */
  readonly log: number;
  /** How many of these, from the first on, are already in the file. */
  readonly checkpointed: number;
}

export class Checkpoints {
  readonly #db: Pick<Database, 'pragma'>;
  readonly #file: string;
  readonly #frameBytes: number;
  #thread: Worker | undefined;
  #busy = false;
  /** 1 while the thread makes a checkpoint: a commit that waits for it hears no messages. */
  readonly #copying = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  /** By how much the file may have grown since the last look; at first, nobody knows. */
  #unlookedBytes = Infinity;

  /** The thread starts at once: later, it would take processor time from a moment with much to do. */
  constructor(db: Pick<Database, 'pragma'>, file: string) {
    this.#db = db;
    this.#file = file;
    this.#thread = this.#start();
    this.#frameBytes = Number(db.pragma('page_size', { simple: true }));
  }

  /**
   * Call after each commit; `orders`: what it has carried out, undefined: something else. Counts frames, not the records'
   * bytes, since a small record dirties several pages.
   */
  committed(orders?: readonly ReadyOrder[]): void {
    this.#unlookedBytes += orders === undefined ? Infinity : grownBytesMax(orders);
    if (this.#unlookedBytes < unlookedBytesMax) return;
    this.#unlookedBytes = 0;
    const { log, checkpointed } = this.#frames();
    if (this.#busy) {
      if (log * this.#frameBytes > walBytesWhileCopying) this.#wait();
      return;
    }
    if ((log - checkpointed) * this.#frameBytes < stepBytes) return;
    this.#busy = true;
    Atomics.store(this.#copying, 0, 1);
    this.#thread ??= this.#start();
    this.#thread.postMessage('checkpoint' satisfies ToCheckpointThread);
  }

  /** Whether a checkpoint is being made. */
  get underWay(): boolean {
    return this.#busy;
  }

  async close(): Promise<void> {
    if (this.#thread === undefined) return;
    const ended = once(this.#thread, 'exit');
    this.#thread.postMessage('close' satisfies ToCheckpointThread);
    await ended;
  }

  #start(): Worker {
    const workerData: CheckpointData = { file: this.#file, copying: this.#copying };
    const thread = new Worker(sibling(import.meta.url, './checkpoint-thread'), { workerData, name: 'log-checkpoint' });
    // The thread could not open the file, say for lack of descriptors: the next step starts another thread.
    thread.on('error', () => {});
    thread.once('exit', () => this.#ended());
    return thread.on('message', (done: Checkpointed) => this.#done(done));
  }

  #ended(): void {
    this.#thread = undefined;
    this.#busy = false;
  }

  /** A reader outside, such as a backup, may keep the file from being copied for hours: no commit waits for that. */
  #wait(): void {
    Atomics.wait(this.#copying, 0, 1, copyMaxMs);
    this.#copy();
  }

  /**
   * SQLite reuses the -wal file only once all of it is copied. The other thread never achieves that while commits keep
   * coming, so this thread copies the little that was added meanwhile.
   */
  #done({ walBytes }: Checkpointed): void {
    this.#busy = false;
    if (walBytes > walBytesMax) this.#copy();
  }

  /** The next commit reports a disk that is full or failing; the next step tries again. */
  #copy(): void {
    try {
      this.#db.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      return;
    }
  }

  /** Copies nothing and takes no lock. */
  #frames(): Frames {
    const [frames] = this.#db.pragma('wal_checkpoint(NOOP)') as Frames[];
    return frames ?? { log: 0, checkpointed: 0 };
  }
}

/** By how much the orders can have made the file grow. */
function grownBytesMax(orders: readonly ReadyOrder[]): number {
  let rowsCount = 0;
  let bytes = 0;
  for (const order of orders) {
    bytes += order.bytes;
    // Its mark is a row too.
    rowsCount++;
    if (order.kind === 'append') for (const { rows } of order.topics) rowsCount += rows.length;
  }
  return rowsCount * rowOverheadBytes + bytes * bytesPerByte;
}
