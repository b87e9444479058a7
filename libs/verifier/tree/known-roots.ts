// Keeps known roots of aligned subtrees of a Merkle tree: proofs are built from them, without the tree.
import type { Edge } from './edge.ts';
import type { Digest } from './hashes.ts';
import { type AlignedSubtree, alignedSubtreesOf, type Range, rootOf } from './paths.ts';

const nameOf = ({ level, index }: AlignedSubtree): string => `${level}/${index}`;

export class KnownRoots {
  readonly #roots = new Map<string, Digest>();

  add(subtree: AlignedSubtree, root: Digest): void {
    this.#roots.set(nameOf(subtree), root);
  }

  /** Adds the perfect subtrees of a tree of `count` leaves. */
  addEdge(count: number, peaks: readonly Digest[]): void {
    for (const [nth, subtree] of alignedSubtreesOf({ start: 0, end: count }).entries()) {
      const root = peaks[nth];
      if (root !== undefined) this.add(subtree, root);
    }
  }

  /** Appends a leaf to the edge, and adds it and the subtrees that it completes. */
  append(edge: Edge, leaf: Digest): void {
    this.add({ level: 0, index: edge.count }, leaf);
    edge.append(leaf, (subtree) => this.add(subtree, subtree.root));
  }

  /** Returns the root of each part; undefined if a subtree of any is not known. */
  rootsOf(parts: readonly Range[]): readonly Digest[] | undefined {
    const roots: Digest[] = [];
    for (const part of parts) {
      const known = alignedSubtreesOf(part).map((subtree) => this.#roots.get(nameOf(subtree)));
      const knownRoots = known.filter((root) => root !== undefined);
      if (knownRoots.length < known.length) return undefined;
      roots.push(rootOf(knownRoots));
    }
    return roots;
  }
}
