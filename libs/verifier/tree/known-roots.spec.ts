// Proofs are made from what is stored with checkpoints: edges, large subtrees, and the leaves of one part.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Edge } from './edge.ts';
import { type Digest, digestOf, leafHash } from './hashes.ts';
import { KnownRoots } from './known-roots.ts';
import { consistencyParts, inclusionParts } from './paths.ts';
import { plainConsistency, plainPath, plainRoot } from './plain-tree.fake.ts';
import { verifyConsistency } from './proof.ts';

const leavesMax = 90;
/** Subtrees of four leaves and more are kept, as those of 1,024 are in the product. */
const levelMin = 2;
const leaves: readonly Digest[] = Array.from({ length: leavesMax }, (_, at) => leafHash(`leaf ${at}`));
const rising = fc
  .uniqueArray(fc.integer({ min: 1, max: leavesMax }), { minLength: 2, maxLength: 3 })
  .map((counts) => counts.toSorted((one, other) => one - other));

const edgeAt = (count: number): Edge => {
  const edge = new Edge();
  for (const leaf of leaves.slice(0, count)) edge.append(leaf);
  return edge;
};
const digests = (edge: Edge): readonly Digest[] => edge.toHex().flatMap((hex) => digestOf(hex) ?? []);

describe('known roots', () => {
  it('prove a record from the edge before its part and the leaves of that part', () => {
    const law = fc.property(rising, fc.nat(), ([first = 0, count = 0], nth) => {
      const known = new KnownRoots();
      const edge = edgeAt(first);
      known.addEdge(first, digests(edge));
      for (const leaf of leaves.slice(first, count)) known.append(edge, leaf);
      const index = first + (nth % (count - first));
      expect(known.rootsOf(inclusionParts(index, count))).toEqual(plainPath(index, leaves.slice(0, count)));
    });
    fc.assert(law);
  });

  it('prove that a tree extends another from both edges, large subtrees, and few leaves', () => {
    const law = fc.property(rising, ([from = 0, to = 0]) => {
      const known = new KnownRoots();
      const edge = edgeAt(from);
      known.addEdge(from, digests(edge));
      const small = 2 ** levelMin;
      for (const leaf of leaves.slice(from, Math.min(to, Math.ceil(from / small) * small))) known.append(edge, leaf);
      const large = edgeAt(from);
      for (const leaf of leaves.slice(from, to))
        large.append(leaf, (subtree) => (subtree.level >= levelMin ? known.add(subtree, subtree.root) : undefined));
      known.addEdge(to, digests(large));
      const path = known.rootsOf(consistencyParts(from, to)) ?? [];
      expect(path).toEqual(plainConsistency(from, leaves.slice(0, to)));
      const roots = { from: plainRoot(leaves.slice(0, from)), to: plainRoot(leaves.slice(0, to)) };
      expect(
        verifyConsistency({ from: { count: from, root: roots.from }, to: { count: to, root: roots.to }, path }),
      ).toBe(true);
    });
    fc.assert(law);
  });

  it('prove nothing where a subtree is not known', () => {
    expect(new KnownRoots().rootsOf(inclusionParts(0, 2))).toBeUndefined();
  });
});
