// Divides a replay of every source, which is requested once and shown as one, among the partitions.
import { partitionOf } from '../../flow.ts';
import { isEverySource } from '../matching.ts';
import type { ReplayRequest, ReplayParams, ReplayPart } from './messages.ts';

/** Whether the request is for every part. */
export const isUndivided = ({ data }: ReplayRequest): boolean =>
  isEverySource(data.emitterId) && data.part === undefined;

export const partsOf = (partitions: number): readonly ReplayPart[] =>
  Array.from({ length: partitions }, (_, partition) => ({ partition, of: partitions }));

/** The key of a part: the replay's id for the part in the partition that divides it, else `id/partition`. */
export function replayKey({
  replayId,
  emitterId,
  part,
}: Pick<ReplayParams, 'replayId' | 'emitterId' | 'part'>): string {
  const isFirst = part === undefined || part.partition === partitionOf(emitterId, part.of);
  return isFirst ? replayId : `${replayId}/${part.partition}`;
}
