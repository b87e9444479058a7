// Reads a page of checkpoints, oldest first, with bounded work: it can be short, with a cursor to continue from.
import { badCursor, cursorOfId, idOfCursor } from '../../../http/pages/cursor.ts';
import { checkpointOffsetAt, checkpointsFrom, type LogReader } from '../signed/checkpoints.ts';
import { type CheckpointPage, type CheckpointRecord, type CheckpointsDto, presentCheckpoint } from './proofs.dto.ts';

/** Checkpoints of all partitions that are read for one page: at most some seconds. */
const checkpointsReadMax = 5_000;
const limitDefault = 100;
const offsetPattern = /^\d{1,15}$/;

export async function listCheckpoints(log: LogReader, input: CheckpointsDto): Promise<CheckpointPage> {
  const { topic, partition, from, after } = input;
  const limit = input.limit ?? limitDefault;
  const data: CheckpointRecord[] = [];
  let read = 0;
  const startOffset = typeof after === 'string' ? offsetOfCursor(after) : await checkpointOffsetAt(log, from ?? 0);
  for await (const { checkpoint, data: signed, offset } of checkpointsFrom(log, startOffset)) {
    read += 1;
    const isRequested =
      checkpoint.topic === (topic ?? checkpoint.topic) &&
      checkpoint.partition === (partition ?? checkpoint.partition) &&
      checkpoint.time >= (from ?? 0);
    if (isRequested) data.push(presentCheckpoint(checkpoint, signed));
    if (data.length === limit || read === checkpointsReadMax)
      return { data, end_cursor: cursorOfId(String(offset + 1)) };
  }
  return { data, end_cursor: null };
}

function offsetOfCursor(cursor: string): number {
  const offset = Number(idOfCursor(cursor, (text) => offsetPattern.test(text)));
  if (!Number.isSafeInteger(offset)) throw badCursor();
  return offset;
}
