// Lists the projection's inputs: its owned partitions of every topic that it reads according to flow.ts.
import { inputsOf } from '../../domain/flow.ts';
import { positionKey, type Log, type Page, type Position, type Positions } from '../../log/index.ts';

/** Owned partition numbers; the owner of 0 also has the topics with a single partition. */
export type Share = ReadonlySet<number>;

/** Where to continue in each partition: its position, otherwise the beginning. Without a share: all partitions. */
export function inputsFrom(log: Log, positions: Positions, share?: Share): Position[] {
  return inputsOf('projection', log.partitions)
    .filter(({ partition }) => share?.has(partition) ?? true)
    .map(({ topic, partition }) => ({ topic, partition, offset: positions[positionKey(topic, partition)] ?? 0 }));
}

/** Returns the first input beyond the log's end, which means that the views were made from another log. */
export async function firstAhead(log: Log, positions: Positions, share: Share): Promise<Position | undefined> {
  for (const input of inputsFrom(log, positions, share)) {
    if (input.offset > (await log.end(input.topic, input.partition))) return input;
  }
  return undefined;
}

/** Returns the end of every input: the positions of views that hold the whole log. */
export async function endsOf(log: Log): Promise<Positions> {
  const ends = inputsFrom(log, {}).map(
    async ({ topic, partition }) => [positionKey(topic, partition), await log.end(topic, partition)] as const,
  );
  return Object.fromEntries(await Promise.all(ends));
}

export const keyOf = ({ topic, partition }: Pick<Page, 'topic' | 'partition'>): string => positionKey(topic, partition);
