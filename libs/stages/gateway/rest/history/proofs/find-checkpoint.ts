// Finds checkpoints: by their id, or the one that signed a record.
import type { SignedTopic } from '../../../../../domain/flow.ts';
import { checkpointOffsetAt, checkpointsFrom, type LogReader, type SignedCheckpoint } from '../signed/checkpoints.ts';
import { type CheckpointKey, isCheckpoint } from './checkpoint-id.ts';
import type { FoundRecord } from './find-record.ts';

/** Checkpoints of all partitions that are searched: far more than are made in the minutes around a time. */
const checkpointsReadMax = 20_000;

export async function findCheckpoint(log: LogReader, key: CheckpointKey): Promise<SignedCheckpoint | undefined> {
  let read = 0;
  for await (const signed of checkpointsFrom(log, await checkpointOffsetAt(log, key.time))) {
    read += 1;
    if (isCheckpoint(signed.checkpoint, key)) return signed;
    if (read > checkpointsReadMax) return undefined;
  }
  return undefined;
}

/** `unsigned`: no checkpoint covers the record yet. `far`: the search has reached its bound. */
export async function findCoveringCheckpoint(
  log: LogReader,
  found: FoundRecord,
): Promise<SignedCheckpoint | 'unsigned' | 'far'> {
  const { topic, partition, record } = found;
  let read = 0;
  for await (const signed of checkpointsFrom(log, await checkpointOffsetAt(log, record.at))) {
    read += 1;
    if (covers(signed, { topic, partition }, record.offset)) return signed;
    if (read > checkpointsReadMax) return 'far';
  }
  return 'unsigned';
}

const covers = (
  { data }: SignedCheckpoint,
  { topic, partition }: { readonly topic: SignedTopic; readonly partition: number },
  offset: number,
): boolean =>
  data.topic === topic && data.partition === partition && data.window.offset <= offset && offset < data.window.end;
