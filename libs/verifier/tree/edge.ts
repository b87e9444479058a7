// Keeps the right-hand edge of a growing Merkle tree: enough to append leaves and to compute the root.
import { type Digest, digestBytes, digestOf, emptyRoot, nodeHash } from './hashes.ts';

/** The root of the aligned subtree number `index` among those of 2^level leaves. */
export interface Subtree {
  readonly level: number;
  readonly index: number;
  readonly root: Digest;
}

/** Returns of how many perfect subtrees a tree of `count` leaves consists: the number of one bits in `count`. */
export function peakCount(count: number): number {
  let peaks = 0;
  for (let remaining = count; remaining > 0; remaining = Math.floor(remaining / 2)) peaks += remaining % 2;
  return peaks;
}

/** Copies a digest into its own memory: a new digest shares 8 KiB with others, and a peak can stay for months. */
function copyDigest(digest: Digest): Digest {
  const copy = Buffer.alloc(digestBytes);
  copy.set(digest);
  return copy;
}

export class Edge {
  #count: number;
  /** The roots of the perfect subtrees, largest first. */
  readonly #peaks: Digest[];

  /** A tree without leaves, or the tree of `count` leaves whose peaks these are. */
  constructor(count = 0, peaks: readonly Digest[] = []) {
    if (!Number.isSafeInteger(count) || count < 0 || peaks.length !== peakCount(count)) {
      throw new Error(`a tree of ${count} leaves does not have ${peaks.length} peaks`);
    }
    this.#count = count;
    this.#peaks = [...peaks];
  }

  /** Reads the output of `toHex` for this number of leaves; undefined if it cannot be that. */
  static fromHex(count: number, peaks: readonly string[]): Edge | undefined {
    const digests = peaks.map(digestOf).filter((digest) => digest !== undefined);
    const fits = Number.isSafeInteger(count) && count >= 0 && peakCount(count) === peaks.length;
    return fits && digests.length === peaks.length ? new Edge(count, digests) : undefined;
  }

  get count(): number {
    return this.#count;
  }

  copy(): Edge {
    return new Edge(this.#count, this.#peaks);
  }

  toHex(): readonly string[] {
    return this.#peaks.map((peak) => peak.toString('hex'));
  }

  /** Appends a leaf's hash; calls `onSubtree` with each aligned subtree of two or more leaves that it completes. */
  append(leaf: Digest, onSubtree?: (subtree: Subtree) => void): void {
    let root = leaf;
    let level = 0;
    // Where the count so far is odd at a level, a left sibling waits there.
    for (let index = this.#count; index % 2 === 1; level += 1) {
      const left = this.#peaks.pop();
      if (left === undefined) throw new Error('an edge lacks a peak');
      root = nodeHash(left, root);
      index = (index - 1) / 2;
      onSubtree?.({ level: level + 1, index, root });
    }
    this.#peaks.push(copyDigest(root));
    this.#count += 1;
  }

  root(): Digest {
    const last = this.#peaks.at(-1);
    if (last === undefined) return emptyRoot();
    return this.#peaks.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last);
  }
}
