// A checkpoint's id: its partition, the number of records that it signs, and its time, by which it can be found.
import type { Millis } from '../../../../../domain/message.ts';
import type { Checkpoint } from '../../../../../verifier/checkpoint.ts';

export interface CheckpointKey {
  readonly topic: string;
  readonly partition: number;
  readonly count: number;
  readonly time: Millis;
}

const idPattern = /^([a-z]{1,32})-(\d{1,9})-(\d{1,15})-(\d{1,15})$/;

export const checkpointId = ({ topic, partition, count, time }: CheckpointKey): string =>
  [topic, partition, count, time].join('-');

/** Undefined for text that is not the id of a checkpoint. */
export function readCheckpointId(id: string): CheckpointKey | undefined {
  const [, topic, partition, count, time] = idPattern.exec(id) ?? [];
  if (topic === undefined) return undefined;
  return { topic, partition: Number(partition), count: Number(count), time: Number(time) };
}

export const isCheckpoint = (checkpoint: Checkpoint, key: CheckpointKey): boolean =>
  checkpointId(checkpoint) === checkpointId(key);
