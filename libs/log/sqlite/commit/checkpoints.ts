// Keeps the write-ahead log small without making appends wait: another thread copies it into the file while commits go on.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { sibling } from '../sibling.ts';
import type { CheckpointData, Checkpointed, ToCheckpointThread } from './checkpoint-thread.ts';

/** Records after which a checkpoint begins: its syncs cost little against so many bytes. */
const stepBytes = 8 * 1024 * 1024;
/** Of the -wal file: what is read when the log is opened after a kill, 0.1 s or so. */
const walBytesMax = 32 * 1024 * 1024;

export class Checkpoints {
  readonly #db: Pick<Database, 'pragma'>;
  readonly #file: string;
  #thread: Worker | undefined;
  #grownBytes = 0;
  #busy = false;

  constructor(db: Pick<Database, 'pragma'>, file: string) {
    this.#db = db;
    this.#file = file;
  }

  /** Says how many bytes of records were committed. */
  grown(bytes: number): void {
    this.#grownBytes += bytes;
    if (this.#busy || this.#grownBytes < stepBytes) return;
    this.#grownBytes = 0;
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
    if (walBytes > walBytesMax) this.#copyRest();
  }

  /** A disk that is full or fails now is met by the next commit, which reports it. */
  #copyRest(): void {
    try {
      this.#db.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      this.#grownBytes = stepBytes;
    }
  }
}
