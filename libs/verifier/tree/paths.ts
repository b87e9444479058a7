// Computes the parts of a Merkle tree in a proof, and their roots from those of aligned subtrees (RFC 6962, 2.1).
import { type Digest, nodeHash } from './hashes.ts';

/** Consecutive leaves, `end` exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The aligned subtree number `index` among those of 2^level leaves; at level 0 it is a leaf. */
export interface AlignedSubtree {
  readonly level: number;
  readonly index: number;
}

/** Returns the largest power of two below a number of leaves, which is at least 2. */
function splitOf(leaves: number): number {
  let split = 1;
  while (split * 2 < leaves) split *= 2;
  return split;
}

/** The parts whose roots are the path from a leaf to the root, in the order of the proof. */
export function inclusionParts(index: number, count: number): readonly Range[] {
  const parts: Range[] = [];
  let [start, end] = [0, count];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    const isLeft = index < middle;
    parts.unshift(isLeft ? { start: middle, end } : { start, end: middle });
    [start, end] = isLeft ? [start, middle] : [middle, end];
  }
  return parts;
}

/** The parts whose roots prove that the tree of `to` leaves extends that of its first `from`, in the proof's order. */
export function consistencyParts(from: number, to: number): readonly Range[] {
  const parts: Range[] = [];
  let [start, end] = [0, to];
  if (from === 0 || from === to) return parts;
  while (from < end) {
    const middle = start + splitOf(end - start);
    const isLeft = from <= middle;
    parts.unshift(isLeft ? { start: middle, end } : { start, end: middle });
    [start, end] = isLeft ? [start, middle] : [middle, end];
  }
  // The verifier has the root of the whole earlier tree.
  return start === 0 ? parts : [{ start, end }, ...parts];
}

/** The aligned subtrees of a part of a proof, from left to right: larger ones first. */
export function alignedSubtreesOf({ start, end }: Range): readonly AlignedSubtree[] {
  const found: AlignedSubtree[] = [];
  for (let next = start; next < end;) {
    let [level, leaves] = [0, 1];
    while (next % (leaves * 2) === 0 && next + leaves * 2 <= end) [level, leaves] = [level + 1, leaves * 2];
    found.push({ level, index: next / leaves });
    next += leaves;
  }
  return found;
}

/** The root of a part from the roots of its aligned subtrees, in the order of `alignedSubtreesOf`. */
export function rootOf(roots: readonly Digest[]): Digest {
  const last = roots.at(-1);
  if (last === undefined) throw new Error('a part of a proof has at least one subtree');
  return roots.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last);
}
