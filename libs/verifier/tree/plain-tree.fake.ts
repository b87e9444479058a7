// A Merkle tree as RFC 6962, 2.1 defines it, by plain recursion, to compare the fast implementation with.
import { type Digest, emptyRoot, nodeHash } from './hashes.ts';

function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

export function plainRoot(leaves: readonly Digest[]): Digest {
  const [first] = leaves;
  if (first === undefined) return emptyRoot();
  if (leaves.length === 1) return first;
  const split = splitOf(leaves.length);
  return nodeHash(plainRoot(leaves.slice(0, split)), plainRoot(leaves.slice(split)));
}

/** PATH(m, D[n]). */
export function plainPath(index: number, leaves: readonly Digest[]): readonly Digest[] {
  if (leaves.length === 1) return [];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...plainPath(index, left), plainRoot(right)]
    : [...plainPath(index - split, right), plainRoot(left)];
}

/** PROOF(m, D[n]). */
export function plainConsistency(from: number, leaves: readonly Digest[], isWhole = true): readonly Digest[] {
  if (from === leaves.length) return isWhole ? [] : [plainRoot(leaves)];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return from <= split
    ? [...plainConsistency(from, left, isWhole), plainRoot(right)]
    : [...plainConsistency(from - split, right, false), plainRoot(left)];
}
