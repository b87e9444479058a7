// Finds checkpoints: by their id, or the one that signed a record.
import type { SignedTopic } from '../../../../../domain/flow.ts';
import { checkpointsAt, checkpointsFrom, type Reading, type SignedCheckpoint } from '../signed/checkpoints.ts';
import { type CheckpointKey, isCheckpoint } from './checkpoint-id.ts';
import type { FoundRecord } from './find-record.ts';

/** Checkpoints of all partitions that are searched: far more than are made in the minutes around a time. */
const readMax = 20_000;

export async function checkpointBy(log: Reading, key: CheckpointKey): Promise<SignedCheckpoint | undefined> {
  let read = 0;
  for await (const each of checkpointsFrom(log, await checkpointsAt(log, key.time))) {
    read += 1;
    if (isCheckpoint(each.checkpoint, key)) return each;
    if (read > readMax) return undefined;
  }
  return undefined;
}

/** `unsigned`: no checkpoint covers the record yet. `far`: the search has reached its bound. */
export async function checkpointOver(log: Reading, found: FoundRecord): Promise<SignedCheckpoint | 'unsigned' | 'far'> {
  const { topic, partition, record } = found;
  let read = 0;
  for await (const each of checkpointsFrom(log, await checkpointsAt(log, record.at))) {
    read += 1;
    if (isOver(each, { topic, partition }, record.offset)) return each;
    if (read > readMax) return 'far';
  }
  return 'unsigned';
}

const isOver = (
  { data }: SignedCheckpoint,
  { topic, partition }: { readonly topic: SignedTopic; readonly partition: number },
  offset: number,
): boolean =>
  data.topic === topic && data.partition === partition && data.window.offset <= offset && offset < data.window.end;
