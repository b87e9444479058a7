// Reads topic `checkpoints` in order, a page at a time.
import type { CheckpointSigned } from '../../../../../domain/audit/messages.ts';
import type { Millis } from '../../../../../domain/message.ts';
import { isUsable } from '../../../../../domain/record/check-record.ts';
import { offsetAt } from '../../../../../log/offset-at.ts';
import type { Log } from '../../../../../log/log.ts';
import type { Checkpoint } from '../../../../../verifier/checkpoint.ts';
import { readCheckpoint } from '../../../../../verifier/export/partition/signed-checkpoint.ts';

export interface SignedCheckpoint {
  readonly data: CheckpointSigned;
  readonly checkpoint: Checkpoint;
  /** The offset on topic `checkpoints`. */
  readonly offset: number;
}

export type LogReader = Pick<Log, 'read' | 'end'>;

const page = { recordsMax: 200, bytesMax: 1024 * 1024 };
/** The times of checkpoints can be slightly out of order after a clock was set. */
const clockSkewMs = 10 * 60_000;

/** An offset before all checkpoints of this time and later. */
export const checkpointOffsetAt = (log: LogReader, time: Millis): Promise<number> =>
  offsetAt(log, { topic: 'checkpoints', partition: 0 }, Math.max(0, time - clockSkewMs));

/** Reads up to the end of the topic at the time of the call. */
export async function* checkpointsFrom(log: LogReader, from: number): AsyncGenerator<SignedCheckpoint> {
  const end = await log.end('checkpoints', 0);
  for (let next = from; next < end;) {
    const read = await log.read('checkpoints', 0, next, { ...page, to: end });
    for (const record of read.records) {
      // Skips what audit did not write: if it has replaced a checkpoint, verification finds that missing.
      const checkpoint = isUsable('checkpoints', record) ? readCheckpoint(record.data.line) : undefined;
      if (checkpoint !== undefined) yield { data: record.data as CheckpointSigned, checkpoint, offset: record.offset };
    }
    next = read.records.length === 0 ? end : read.next;
  }
}
