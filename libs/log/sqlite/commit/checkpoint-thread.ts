// The checkpoint thread: copies the write-ahead log into the file on request, as far as readers and the writer allow.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

export interface CheckpointData {
  readonly file: string;
  /** 1 until the checkpoint is done, then 0. */
  readonly copying: Int32Array;
}

export interface Checkpointed {
  readonly walBytes: number;
}

export type ToCheckpointThread = 'checkpoint' | 'close';

const port = parentPort;
if (port === null) throw new Error('checkpoint-thread runs as a worker thread');
const { file, copying } = workerData as CheckpointData;
const db = openDatabase();
db.pragma('synchronous = FULL');
const pageBytes = Number(db.pragma('page_size', { simple: true }));

port.on('message', (message: ToCheckpointThread) => {
  if (message === 'close') {
    db.close();
    return port.close();
  }
  const walBytes = checkpoint();
  releaseCommits();
  port.postMessage({ walBytes } satisfies Checkpointed);
});

/** Ignores errors: the next commit reports a disk that is full or failing, and the checkpoint is tried again later. */
function checkpoint(): number {
  try {
    const [found] = db.pragma('wal_checkpoint(PASSIVE)') as { log: number }[];
    return (found?.log ?? 0) * pageBytes;
  } catch {
    return 0;
  }
}

/** Opens the file. If that fails, the thread ends at once, and commits must not wait for it. */
function openDatabase(): Database.Database {
  try {
    return new Database(file, { fileMustExist: true });
  } catch (error) {
    releaseCommits();
    throw error;
  }
}

function releaseCommits(): void {
  Atomics.store(copying, 0, 0);
  Atomics.notify(copying, 0);
}
