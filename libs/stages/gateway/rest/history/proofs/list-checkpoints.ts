// Reads a page of checkpoints, oldest first, with bounded work: it can be short, with a cursor to continue from.
import { badCursor, cursorOfId, idOfCursor } from '../../../http/pages/cursor.ts';
import { checkpointsAt, checkpointsFrom, type Reading } from '../signed/checkpoints.ts';
import { type CheckpointPage, type CheckpointRecord, type CheckpointsDto, presentCheckpoint } from './proofs.dto.ts';

/** Checkpoints of all partitions that are read for one page: at most some seconds. */
const readMax = 5_000;
const limitDefault = 100;
const position = /^\d{1,15}$/;

export async function listCheckpoints(log: Reading, asked: CheckpointsDto): Promise<CheckpointPage> {
  const { topic, partition, from, after } = asked;
  const limit = asked.limit ?? limitDefault;
  const data: CheckpointRecord[] = [];
  let read = 0;
  const begin = typeof after === 'string' ? placeOf(after) : await checkpointsAt(log, from ?? 0);
  for await (const { checkpoint, data: signed, offset } of checkpointsFrom(log, begin)) {
    read += 1;
    const isAsked =
      checkpoint.topic === (topic ?? checkpoint.topic) &&
      checkpoint.partition === (partition ?? checkpoint.partition) &&
      checkpoint.time >= (from ?? 0);
    if (isAsked) data.push(presentCheckpoint(checkpoint, signed));
    if (data.length === limit || read === readMax) return { data, end_cursor: cursorOfId(String(offset + 1)) };
  }
  return { data, end_cursor: null };
}

function placeOf(cursor: string): number {
  const place = Number(idOfCursor(cursor, (text) => position.test(text)));
  if (!Number.isSafeInteger(place)) throw badCursor();
  return place;
}
