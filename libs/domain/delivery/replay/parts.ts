// A replay of every source: it is asked for once, divided among the partitions, and shown as one.
import { partitionOf } from '../../flow.ts';
import { isEverySource } from '../matching.ts';
import type { ReplayRequest, ReplayOrder, ReplayPart } from './messages.ts';

/** Whether the request is for every part. */
export const isUndivided = ({ data }: ReplayRequest): boolean =>
  isEverySource(data.emitterId) && data.part === undefined;

export const partsOf = (partitions: number): readonly ReplayPart[] =>
  Array.from({ length: partitions }, (_, partition) => ({ partition, of: partitions }));

/** The first part, in the partition that divides the requests, has the replay's id; the others stand beside it. */
export function replayKey({ replayId, emitterId, part }: Pick<ReplayOrder, 'replayId' | 'emitterId' | 'part'>): string {
  const isFirst = part === undefined || part.partition === partitionOf(emitterId, part.of);
  return isFirst ? replayId : `${replayId}/${part.partition}`;
}
