// Reads topic `checkpoints` in its order, a page at a time.
import type { CheckpointSigned } from '../../../../../domain/audit/messages.ts';
import type { Millis } from '../../../../../domain/message.ts';
import { isUsable } from '../../../../../domain/record/verdict.ts';
import { offsetAt } from '../../../../../log/offset-at.ts';
import type { Log } from '../../../../../log/log.ts';
import type { Checkpoint } from '../../../../../verifier/checkpoint.ts';
import { readCheckpoint } from '../../../../../verifier/export/partition/signed-checkpoint.ts';

export interface SignedCheckpoint {
  readonly data: CheckpointSigned;
  readonly checkpoint: Checkpoint;
  /** On topic `checkpoints`. */
  readonly offset: number;
}

export type Reading = Pick<Log, 'read' | 'end'>;

const page = { recordsMax: 200, bytesMax: 1024 * 1024 };
/** The times of checkpoints may be slightly out of order where a clock was set. */
const clockMs = 10 * 60_000;

/** The offset from which on checkpoints of this time and later stand. */
export const checkpointsAt = (log: Reading, time: Millis): Promise<number> =>
  offsetAt(log, { topic: 'checkpoints', partition: 0 }, Math.max(0, time - clockMs));

/** Reads up to what was the end when it was called. */
export async function* checkpointsFrom(log: Reading, from: number): AsyncGenerator<SignedCheckpoint> {
  const end = await log.end('checkpoints', 0);
  for (let next = from; next < end;) {
    const read = await log.read('checkpoints', 0, next, { ...page, to: end });
    for (const record of read.records) {
      // Skips what no audit stage wrote: if something else was there, verification finds it missing.
      const checkpoint = isUsable('checkpoints', record) ? readCheckpoint(record.data.line) : undefined;
      if (checkpoint !== undefined) yield { data: record.data as CheckpointSigned, checkpoint, offset: record.offset };
    }
    next = read.records.length === 0 ? end : read.next;
  }
}
