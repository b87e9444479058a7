// The Merkle tree agrees with RFC 6962: with its published vectors, and with a plain recursive tree at every size.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Edge, peakCount, type Subtree } from './edge.ts';
import { type Digest, digestOf, emptyRoot, leafHash, nodeHash } from './hashes.ts';
import { alignedSubtreesOf, consistencyParts, inclusionParts, type Range, rootOf } from './paths.ts';
import { plainConsistency, plainPath, plainRoot } from './plain-tree.fake.ts';
import { verifyConsistency, verifyInclusion } from './proof.ts';

const leavesMax = 70;
const leavesOf = (count: number): readonly Digest[] => Array.from({ length: count }, (_, at) => leafHash(`leaf ${at}`));
const counts = fc.integer({ min: 1, max: leavesMax });
const pairs = fc.tuple(counts, counts).map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);
const within = counts.chain((count) => fc.tuple(fc.integer({ min: 0, max: count - 1 }), fc.constant(count)));

function edgeOf(leaves: readonly Digest[], onSubtree?: (subtree: Subtree) => void): Edge {
  const edge = new Edge();
  for (const leaf of leaves) edge.append(leaf, onSubtree);
  return edge;
}

const leafAt = (leaves: readonly Digest[], at: number): Digest => leaves[at] ?? emptyRoot();
const flipped = (digest: Digest, bit: number): Digest => {
  const copy = Buffer.from(digest);
  copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return copy;
};

/** The root of every part, from the subtrees that an edge reported while it grew. */
function builtOf(parts: readonly Range[], leaves: readonly Digest[]): readonly Digest[] {
  const known = new Map<string, Digest>(leaves.map((leaf, at) => [`0/${at}`, leaf]));
  edgeOf(leaves, ({ level, index, root }) => known.set(`${level}/${index}`, root));
  return parts.map((part) =>
    rootOf(alignedSubtreesOf(part).map(({ level, index }) => known.get(`${level}/${index}`) ?? emptyRoot())),
  );
}

describe('a Merkle tree', () => {
  it("has the roots that the reference implementation's tests publish", () => {
    const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
    const leaves = inputs.map((hex) => leafHash(Buffer.from(hex, 'hex').toString('latin1')));
    const roots = [1, 2, 3, 4, 5, 6, 7, 8].map((count) => edgeOf(leaves.slice(0, count)).root().toString('hex'));
    expect(emptyRoot().toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(roots).toEqual([
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ]);
  });

  it('has the same root however it is made, and continues from what was kept of it', () => {
    const law = fc.property(pairs, ([first, count]) => {
      const leaves = leavesOf(count);
      const kept = edgeOf(leaves.slice(0, first));
      const resumed = Edge.fromHex(first, kept.toHex());
      for (const leaf of leaves.slice(first)) resumed?.append(leaf);
      expect(resumed?.root()).toEqual(plainRoot(leaves));
      expect(kept.root()).toEqual(plainRoot(leaves.slice(0, first)));
      expect(kept.toHex()).toHaveLength(peakCount(first));
    });
    fc.assert(law);
  });

  it('reports each aligned subtree once, when it is complete', () => {
    const leaves = leavesOf(leavesMax);
    const heard: string[] = [];
    edgeOf(leaves, ({ level, index, root }) => {
      heard.push(`${level}/${index}`);
      expect(root).toEqual(plainRoot(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)));
    });
    expect(new Set(heard).size).toBe(heard.length);
    expect(heard).toHaveLength(35 + 17 + 8 + 4 + 2 + 1);
  });

  it('refuses an invalid edge', () => {
    const hex = 'a'.repeat(64);
    expect(Edge.fromHex(3, [hex])).toBeUndefined();
    expect(Edge.fromHex(1, [hex.toUpperCase()])).toBeUndefined();
    expect(Edge.fromHex(-1, [])).toBeUndefined();
    expect(Edge.fromHex(0.5, [])).toBeUndefined();
    expect(() => new Edge(2, [])).toThrow('a tree of 2 leaves does not have 0 peaks');
    expect(digestOf('00')).toBeUndefined();
  });
});

describe('a proof of inclusion', () => {
  it('equals the path in a plain tree, and leads to the root', () => {
    const law = fc.property(within, ([index, count]) => {
      const leaves = leavesOf(count);
      const path = builtOf(inclusionParts(index, count), leaves);
      expect(path).toEqual(plainPath(index, leaves));
      expect(verifyInclusion({ index, leaf: leafAt(leaves, index), count, root: plainRoot(leaves), path })).toBe(true);
    });
    fc.assert(law);
  });

  it('holds for no other leaf, place, root or path', () => {
    const law = fc.property(within, fc.nat(), fc.nat({ max: 255 }), ([index, count], place, bit) => {
      const leaves = leavesOf(count);
      const path = plainPath(index, leaves);
      const honest = { index, leaf: leafAt(leaves, index), count, root: plainRoot(leaves), path };
      const other = place % (count + 2);
      if (other !== index) expect(verifyInclusion({ ...honest, index: other })).toBe(false);
      expect(verifyInclusion({ ...honest, leaf: flipped(honest.leaf, bit) })).toBe(false);
      expect(verifyInclusion({ ...honest, root: flipped(honest.root, bit) })).toBe(false);
      const at = place % Math.max(1, path.length);
      const changed = path.map((hash, nth) => (nth === at ? flipped(hash, bit) : hash));
      if (path.length > 0) {
        expect(verifyInclusion({ ...honest, path: changed })).toBe(false);
        expect(verifyInclusion({ ...honest, path: path.slice(1) })).toBe(false);
        expect(verifyInclusion({ ...honest, path: path.slice(0, -1) })).toBe(false);
      }
      expect(verifyInclusion({ ...honest, path: [...path, honest.leaf] })).toBe(false);
    });
    fc.assert(law);
  });

  it('is refused when its numbers are impossible', () => {
    const [leaf] = [leafHash('one')];
    const honest = { index: 0, leaf, count: 1, root: leaf, path: [] };
    expect(verifyInclusion(honest)).toBe(true);
    for (const index of [-1, 0.5, Number.NaN, 1]) expect(verifyInclusion({ ...honest, index })).toBe(false);
    for (const count of [-1, 0.5, Infinity, 0]) expect(verifyInclusion({ ...honest, count })).toBe(false);
    expect(verifyInclusion({ ...honest, path: Array<Digest>(65).fill(leaf) })).toBe(false);
  });
});

describe('a proof of consistency', () => {
  const sideOf = (leaves: readonly Digest[], count = leaves.length) => ({
    count,
    root: plainRoot(leaves.slice(0, count)),
  });

  it('equals the proof of a plain tree, and holds for any two states of one tree', () => {
    const law = fc.property(pairs, ([first, count]) => {
      const leaves = leavesOf(count);
      const path = builtOf(consistencyParts(first, count), leaves);
      expect(path).toEqual(plainConsistency(first, leaves));
      expect(verifyConsistency({ from: sideOf(leaves, first), to: sideOf(leaves), path })).toBe(true);
    });
    fc.assert(law);
  });

  it('does not hold when a leaf of the earlier tree was changed, whatever path is offered', () => {
    const law = fc.property(pairs, fc.nat(), ([first, count], at) => {
      const [leaves, rewritten] = [leavesOf(count), [...leavesOf(count)]];
      rewritten[at % first] = leafHash('rewritten');
      const path = plainConsistency(first, rewritten);
      const [from, to] = [sideOf(leaves, first), sideOf(rewritten)];
      expect(verifyConsistency({ from, to, path })).toBe(false);
      expect(verifyConsistency({ from, to, path: plainConsistency(first, leaves) })).toBe(false);
    });
    fc.assert(law);
  });

  it('does not hold with a changed, missing or added hash, or with other counts', () => {
    const law = fc.property(pairs, fc.nat(), fc.nat({ max: 255 }), ([first, count], place, bit) => {
      const leaves = leavesOf(count);
      const path = plainConsistency(first, leaves);
      const honest = { from: sideOf(leaves, first), to: sideOf(leaves), path };
      const at = place % Math.max(1, path.length);
      if (path.length > 0) {
        const changed = path.map((hash, nth) => (nth === at ? flipped(hash, bit) : hash));
        expect(verifyConsistency({ ...honest, path: changed })).toBe(false);
        expect(verifyConsistency({ ...honest, path: path.slice(0, -1) })).toBe(false);
        expect(verifyConsistency({ ...honest, path: path.slice(1) })).toBe(false);
      }
      expect(verifyConsistency({ ...honest, path: [...path, leafHash('more')] })).toBe(false);
      expect(verifyConsistency({ ...honest, from: { ...honest.from, count: count + 1 } })).toBe(false);
      expect(
        verifyConsistency({ ...honest, to: { ...honest.to, root: nodeHash(honest.to.root, honest.to.root) } }),
      ).toBe(false);
    });
    fc.assert(law);
  });

  it('of a tree with itself is empty, and holds only for the same root', () => {
    const side = sideOf(leavesOf(3));
    expect(verifyConsistency({ from: side, to: side, path: [] })).toBe(true);
    expect(verifyConsistency({ from: side, to: { ...side, root: leafHash('other') }, path: [] })).toBe(false);
    expect(verifyConsistency({ from: side, to: side, path: [side.root] })).toBe(false);
  });

  it('from an empty tree is empty, and holds only for the root of an empty tree', () => {
    const to = sideOf(leavesOf(3));
    expect(consistencyParts(0, 3)).toEqual([]);
    expect(verifyConsistency({ from: { count: 0, root: emptyRoot() }, to, path: [] })).toBe(true);
    expect(verifyConsistency({ from: { count: 0, root: to.root }, to, path: [] })).toBe(false);
    expect(verifyConsistency({ from: { count: -1, root: emptyRoot() }, to, path: [] })).toBe(false);
  });
});
