// The commit thread: does all writing to the log's file, so that no sync to disk blocks the main thread.
import { parentPort, workerData } from 'node:worker_threads';
import { runCommitLoop } from './commit-loop.ts';
import type { ThreadData } from './order.ts';

if (parentPort === null) throw new Error('commit-thread runs as a worker thread');
runCommitLoop(parentPort, workerData as ThreadData);
