// Checks the two proofs of a Merkle tree: that a leaf is in it, and that one tree extends another (RFC 9162, 2.1).
import { type Digest, emptyRoot, nodeHash } from './hashes.ts';

/** No tree of countable leaves needs more hashes; a longer proof is rejected unread. */
const proofHashesMax = 64;

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
const half = (value: number): number => Math.floor(value / 2);
const isOdd = (value: number): boolean => value % 2 === 1;

export interface Inclusion {
  /** The leaf's position, from 0. */
  readonly index: number;
  readonly leaf: Digest;
  /** How many leaves the tree has. */
  readonly count: number;
  readonly root: Digest;
  readonly path: readonly Digest[];
}

/** Whether the path leads from the leaf at its position to the root. */
export function verifyInclusion({ index, leaf, count, root, path }: Inclusion): boolean {
  if (!isCount(index) || !isCount(count) || index >= count || path.length > proofHashesMax) return false;
  let [position, last, hash] = [index, count - 1, leaf];
  for (const sibling of path) {
    if (last === 0) return false;
    if (isOdd(position) || position === last) {
      hash = nodeHash(sibling, hash);
      while (!isOdd(position) && position !== 0) [position, last] = [half(position), half(last)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && hash.equals(root);
}

export interface Consistency {
  readonly from: { readonly count: number; readonly root: Digest };
  readonly to: { readonly count: number; readonly root: Digest };
  readonly path: readonly Digest[];
}

/** Whether the later tree begins with all leaves of the earlier one, unchanged and in their order. */
export function verifyConsistency({ from, to, path }: Consistency): boolean {
  if (!isCount(from.count) || !isCount(to.count) || from.count > to.count || path.length > proofHashesMax) return false;
  if (from.count === 0) return path.length === 0 && from.root.equals(emptyRoot());
  if (from.count === to.count) return path.length === 0 && from.root.equals(to.root);
  return leadsToBoth({ from, to, path });
}

function leadsToBoth({ from, to, path }: Consistency): boolean {
  let [position, last] = [from.count - 1, to.count - 1];
  while (isOdd(position)) [position, last] = [half(position), half(last)];
  // A perfect earlier tree is itself the first hash of the proof.
  const [first, ...rest] = position === 0 ? [from.root, ...path] : path;
  if (first === undefined) return false;
  let [earlier, later] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(position) || position === last) {
      earlier = nodeHash(sibling, earlier);
      later = nodeHash(sibling, later);
      while (!isOdd(position) && position !== 0) [position, last] = [half(position), half(last)];
    } else {
      later = nodeHash(later, sibling);
    }
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && earlier.equals(from.root) && later.equals(to.root);
}
