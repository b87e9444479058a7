// Keeps the write-ahead log small without delaying appends: another thread copies it into the file during commits.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { programUrl } from '../../../primitives/files/program-file.ts';
import type { ReadyOrder } from './order.ts';
import type { CheckpointData, Checkpointed, ToCheckpointThread } from './checkpoint-thread.ts';

const MiB = 1024 * 1024;
/** A checkpoint starts once this much is not yet in the file: its syncs cost little compared with so many bytes. */
const stepBytes = 16 * MiB;
/** The size of the -wal file after a checkpoint. Opening the log after a kill reads it, in about 0.1 s. */
export const walBytesMax = 32 * MiB;
/** Above this size, commits wait for the checkpoint under way, so the file grows no faster than it is copied ... */
const walBytesWhileCopying = 64 * MiB;
/** ... for this long at most: the disk might hang. */
const copyMaxMs = 5_000;
/** The file can grow by this much before its size is checked, which takes a fifth of the time of a small commit. */
const uncheckedBytesMax = 2 * MiB;
/** The most that a row adds besides its own bytes: a page of the table, two of its indexes, and one above them ... */
const rowOverheadBytes = 16 * 1024;
/** ... and the most that each of its bytes adds, since pages are not filled. */
const bytesPerByte = 2;

interface Frames {
  /** The number of frames in the -wal file. */
  readonly log: number;
  /** The number of these, from the first one on, that are already copied into the file. */
  readonly checkpointed: number;
}

export class Checkpoints {
  readonly #db: Pick<Database, 'pragma'>;
  readonly #file: string;
  readonly #frameBytes: number;
  #thread: Worker | undefined;
  #isRunning = false;
  /** 1 while the thread makes a checkpoint; a commit that waits for it cannot receive messages. */
  readonly #copying = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  /** By how many bytes the file can have grown since the last check; unknown at first. */
  #uncheckedBytes = Infinity;

  /** Starts the thread at once: later, it would take processor time at a busy moment. */
  constructor(db: Pick<Database, 'pragma'>, file: string) {
    this.#db = db;
    this.#file = file;
    this.#thread = this.#start();
    this.#frameBytes = Number(db.pragma('page_size', { simple: true }));
  }

  /**
   * Call after each commit; `orders`: the orders it carried out, undefined for other commits. Counts frames, not the
   * records' bytes, since a small record changes several pages.
   */
  afterCommit(orders?: readonly ReadyOrder[]): void {
    this.#uncheckedBytes += orders === undefined ? Infinity : grownBytesMax(orders);
    if (this.#uncheckedBytes < uncheckedBytesMax) return;
    this.#uncheckedBytes = 0;
    const { log, checkpointed } = this.#readFrames();
    if (this.#isRunning) {
      if (log * this.#frameBytes > walBytesWhileCopying) this.#waitForCheckpoint();
      return;
    }
    if ((log - checkpointed) * this.#frameBytes < stepBytes) return;
    this.#isRunning = true;
    Atomics.store(this.#copying, 0, 1);
    this.#thread ??= this.#start();
    this.#thread.postMessage('checkpoint' satisfies ToCheckpointThread);
  }

  /** Whether a checkpoint is being made. */
  get isUnderWay(): boolean {
    return this.#isRunning;
  }

  async close(): Promise<void> {
    if (this.#thread === undefined) return;
    const ended = once(this.#thread, 'exit');
    this.#thread.postMessage('close' satisfies ToCheckpointThread);
    await ended;
  }

  #start(): Worker {
    const workerData: CheckpointData = { file: this.#file, copying: this.#copying };
    const thread = new Worker(programUrl(import.meta.url, './checkpoint-thread'), {
      workerData,
      name: 'log-checkpoint',
    });
    // The thread could not open the file, for example for lack of descriptors: the next step starts another one.
    thread.on('error', () => {});
    thread.once('exit', () => this.#handleExit());
    return thread.on('message', (done: Checkpointed) => this.#handleCheckpointed(done));
  }

  #handleExit(): void {
    this.#thread = undefined;
    this.#isRunning = false;
  }

  /**
   * Waits for the checkpoint, not for all to be copied: a reader outside, such as a backup, can prevent that for hours.
   */
  #waitForCheckpoint(): void {
    Atomics.wait(this.#copying, 0, 1, copyMaxMs);
    this.#checkpointNow();
  }

  /**
   * SQLite reuses the -wal file only once all of it is copied. The other thread never achieves that during constant
   * commits, so this thread copies the little that was added in the meantime.
   */
  #handleCheckpointed({ walBytes }: Checkpointed): void {
    this.#isRunning = false;
    if (walBytes > walBytesMax) this.#checkpointNow();
  }

  /** Ignores errors: the next commit reports a disk that is full or failing, and the next step tries again. */
  #checkpointNow(): void {
    try {
      this.#db.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      return;
    }
  }

  /** Reads the numbers; copies nothing and takes no lock. */
  #readFrames(): Frames {
    const [frames] = this.#db.pragma('wal_checkpoint(NOOP)') as Frames[];
    return frames ?? { log: 0, checkpointed: 0 };
  }
}

/** The most bytes by which the orders can have made the file grow. */
function grownBytesMax(orders: readonly ReadyOrder[]): number {
  let rowsCount = 0;
  let bytes = 0;
  for (const order of orders) {
    bytes += order.bytes;
    // The order's mark is a row too.
    rowsCount++;
    if (order.kind === 'append') for (const { rows } of order.topics) rowsCount += rows.length;
  }
  return rowsCount * rowOverheadBytes + bytes * bytesPerByte;
}
