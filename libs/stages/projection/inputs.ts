// What the projection reads: every partition that it owns, of every topic that flow.ts gives it.
import { inputsOf } from '../../domain/flow.ts';
import { positionKey, type Log, type Page, type Position, type Positions } from '../../log/index.ts';

/** Partition numbers; the owner of 0 also has the topics with a single partition. */
export type Share = ReadonlySet<number>;

/** Where to continue in each partition: at its position, else at the beginning. Without a share: all partitions. */
export function inputsFrom(log: Log, positions: Positions, share?: Share): Position[] {
  return inputsOf('projection', log.partitions)
    .filter(({ partition }) => share?.has(partition) ?? true)
    .map(({ topic, partition }) => ({ topic, partition, offset: positions[positionKey(topic, partition)] ?? 0 }));
}

/** The first input beyond the log's end, which means that the views were made from another log. */
export async function aheadOf(log: Log, positions: Positions, share: Share): Promise<Position | undefined> {
  for (const input of inputsFrom(log, positions, share)) {
    if (input.offset > (await log.end(input.topic, input.partition))) return input;
  }
  return undefined;
}

/** The end of every input: where views are that hold the whole log. */
export async function endsOf(log: Log): Promise<Positions> {
  const ends = inputsFrom(log, {}).map(
    async ({ topic, partition }) => [positionKey(topic, partition), await log.end(topic, partition)] as const,
  );
  return Object.fromEntries(await Promise.all(ends));
}

export const keyOf = ({ topic, partition }: Pick<Page, 'topic' | 'partition'>): string => positionKey(topic, partition);
