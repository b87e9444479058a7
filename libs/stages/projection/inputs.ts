// What the projection reads: every partition that is its own, of every topic that flow.ts gives it.
import { flow, partitionCount } from '../../domain/flow.ts';
import { positionKey, type Log, type Page, type Position, type Positions } from '../../log/index.ts';

/** Partition numbers; who has 0 also has the topics that have no other partition. */
export type Share = ReadonlySet<number>;

/** Where to go on in each partition; from the beginning where `positions` say nothing. Without a share: of everything. */
export function inputsFrom(log: Log, positions: Positions, share?: Share): Position[] {
  return flow.projection.reads.flatMap((topic) =>
    Array.from({ length: partitionCount(topic, log.partitions) }, (_, partition) => ({
      topic,
      partition,
      offset: positions[positionKey(topic, partition)] ?? 0,
    })).filter(({ partition }) => share?.has(partition) ?? true),
  );
}

/** The first input that has passed the log's end: then the views were made from another log. */
export async function aheadOf(log: Log, positions: Positions, share: Share): Promise<Position | undefined> {
  for (const input of inputsFrom(log, positions, share)) {
    if (input.offset > (await log.end(input.topic, input.partition))) return input;
  }
  return undefined;
}

export const keyOf = ({ topic, partition }: Pick<Page, 'topic' | 'partition'>): string => positionKey(topic, partition);
