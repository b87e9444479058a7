// Keeps the write-ahead log small without making appends wait: another thread copies it into the file while commits go on.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { sibling } from '../sibling.ts';
import type { CheckpointData, Checkpointed, ToCheckpointThread } from './checkpoint-thread.ts';

const MiB = 1024 * 1024;
/** Frames that are not yet in the file, after which a checkpoint begins: its syncs cost little against so many bytes. */
const stepBytes = 16 * MiB;
/** Of the -wal file once a checkpoint has ended: what is read when the log is opened after a kill, 0.1 s or so. */
export const walBytesMax = 32 * MiB;
/** Beyond it commits wait for the checkpoint that is under way: the disk takes no more than it copies. */
const walBytesWhileCopying = 64 * MiB;

interface Frames {
  /** In the -wal file. */
  readonly log: number;
  /** Of these, from the first on, in the file already. */
  readonly checkpointed: number;
}

export class Checkpoints {
  readonly #db: Pick<Database, 'pragma'>;
  readonly #file: string;
  readonly #frameBytes: number;
  #thread: Worker | undefined;
  #busy = false;

  constructor(db: Pick<Database, 'pragma'>, file: string) {
    this.#db = db;
    this.#file = file;
    this.#frameBytes = Number(db.pragma('page_size', { simple: true }));
  }

  /** To be called after each commit: a small record dirties several pages, so frames are counted and not records' bytes. */
  committed(): void {
    const { log, checkpointed } = this.#frames();
    if (this.#busy) {
      if (log * this.#frameBytes > walBytesWhileCopying) this.#copy('FULL');
      return;
    }
    if ((log - checkpointed) * this.#frameBytes < stepBytes) return;
    this.#busy = true;
    this.#thread ??= this.#start();
    this.#thread.postMessage('checkpoint' satisfies ToCheckpointThread);
  }

  /** Whether one is being made. */
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
    const workerData: CheckpointData = { file: this.#file };
    const thread = new Worker(sibling(import.meta.url, './checkpoint-thread'), { workerData, name: 'log-checkpoint' });
    // It could not open the file, say for want of descriptors: the next step starts another one.
    thread.on('error', () => {});
    thread.once('exit', () => this.#ended());
    return thread.on('message', (done: Checkpointed) => this.#done(done));
  }

  #ended(): void {
    this.#thread = undefined;
    this.#busy = false;
  }

  /**
   * The -wal file begins anew only when all of it was copied, which never happens from another thread while commits go on
   * and on: then this thread copies the little that has come meanwhile.
   */
  #done({ walBytes }: Checkpointed): void {
    this.#busy = false;
    if (walBytes > walBytesMax) this.#copy('PASSIVE');
  }

  /** A disk that is full or fails now is met by the next commit, which reports it; the next step tries again. */
  #copy(mode: 'PASSIVE' | 'FULL'): void {
    try {
      this.#db.pragma(`wal_checkpoint(${mode})`);
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
