// Assigns partitions to members: evenly, with as few moves as possible, and never to two members at once.

/** A member of the group and the partitions that it has not handed on yet. */
export interface Member {
  readonly id: string;
  readonly has: readonly number[];
}

type Shares = ReadonlyMap<string, readonly number[]>;

/**
 * The partitions that each member is to run from now on. A partition that moves has no owner until its old member joins
 * again without it: so it is drained before the next owner begins.
 */
export function assign(members: readonly Member[], partitions: number): Shares {
  const holders = new Map<number, string[]>();
  for (const { id, has } of members)
    for (const partition of has) holders.set(partition, [...(holders.get(partition) ?? []), id]);
  const isFree = (partition: number, id: string): boolean => holders.get(partition)?.includes(id) ?? true;
  return new Map(
    [...evenShares(members, partitions)].map(([id, share]) => [id, share.filter((partition) => isFree(partition, id))]),
  );
}

/**
 * The final assignment: every partition has one member. Each member keeps what it has up to its even share; the rest
 * goes to the members with the fewest. If two members have the same partition, the first by id keeps it.
 */
export function evenShares(members: readonly Member[], partitions: number): Shares {
  const inOrder = members.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const free = new Set(Array.from({ length: partitions }, (_, partition) => partition));
  const baseSize = Math.floor(partitions / inOrder.length);
  let extras = partitions % inOrder.length;
  const shares = new Map<string, number[]>();
  for (const { id, has } of inOrder) {
    const valid = [...new Set(has)].filter((partition) => free.has(partition));
    const extra = extras > 0 && valid.length > baseSize ? 1 : 0;
    extras -= extra;
    const keptPartitions = valid.slice(0, baseSize + extra);
    for (const partition of keptPartitions) free.delete(partition);
    shares.set(id, keptPartitions);
  }
  for (const partition of free) smallestShareOf(shares)?.push(partition);
  for (const share of shares.values()) share.sort((a, b) => a - b);
  return shares;
}

function smallestShareOf(shares: ReadonlyMap<string, number[]>): number[] | undefined {
  let smallestShare: number[] | undefined;
  for (const share of shares.values())
    if (smallestShare === undefined || share.length < smallestShare.length) smallestShare = share;
  return smallestShare;
}
