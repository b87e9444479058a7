// Proves that one checkpoint extends another, from the large subtrees that are stored with the checkpoints in between.
import { hashOfLeaf } from '../../../../../verifier/leaf.ts';
import { Edge } from '../../../../../verifier/tree/edge.ts';
import { digestOf } from '../../../../../verifier/tree/hashes.ts';
import { KnownRoots } from '../../../../../verifier/tree/known-roots.ts';
import { consistencyParts } from '../../../../../verifier/tree/paths.ts';
import { checkpointsFrom, type Reading, type SignedCheckpoint } from '../signed/checkpoints.ts';
import { recordsIn } from '../signed/window-records.ts';

/** Subtrees with at least this many leaves are stored with checkpoints (decision 0056). */
const subtreeLeaves = 1_024;
/**
 * Checkpoints of all partitions that are read for one proof, which takes seconds. Longer distances are proved in parts.
 */
const checkpointsReadMax = 20_000;

export type Extension =
  | { readonly kind: 'proved'; readonly path: readonly string[] }
  /** `nearest`: the last checkpoint of the partition that one proof can reach. */
  | { readonly kind: 'far'; readonly nearest: SignedCheckpoint | undefined }
  /** The log no longer holds what was signed. */
  | { readonly kind: 'gone' };

export async function proveExtension(log: Reading, from: SignedCheckpoint, to: SignedCheckpoint): Promise<Extension> {
  const [earlier, later] = [from.checkpoint.count, to.checkpoint.count];
  if (earlier === later || earlier === 0) return { kind: 'proved', path: [] };
  const between = await windowsBetween(log, from, to);
  if (between.windows === undefined) return { kind: 'far', nearest: between.nearest };
  const known = new KnownRoots();
  const [first] = between.windows;
  if (first?.data.window.first !== earlier || !(await knowBegin(log, known, first, later))) return { kind: 'gone' };
  for (const { data } of between.windows) {
    for (const { level, index, root } of data.subtrees) {
      const digest = digestOf(root);
      if (digest !== undefined) known.add({ level, index }, digest);
    }
  }
  if (!(await knowEnd(log, known, to))) return { kind: 'gone' };
  const path = known.rootsOf(consistencyParts(earlier, later));
  return path === undefined ? { kind: 'gone' } : { kind: 'proved', path: path.map((digest) => digest.toString('hex')) };
}

interface Between {
  /** The partition's checkpoints after `from` up to `to`. Absent: there are too many. */
  readonly windows?: readonly SignedCheckpoint[];
  readonly nearest?: SignedCheckpoint | undefined;
}

async function windowsBetween(log: Reading, from: SignedCheckpoint, to: SignedCheckpoint): Promise<Between> {
  const windows: SignedCheckpoint[] = [];
  let read = 0;
  for await (const each of checkpointsFrom(log, from.offset + 1)) {
    if (each.offset > to.offset) break;
    read += 1;
    if (read > checkpointsReadMax) return { nearest: windows.at(-1) };
    // Digests of topics are left out: they are large, and no proof needs them.
    if (isOf(each, to)) windows.push({ ...each, data: { ...each.data, prints: '' } });
  }
  return { windows };
}

const isOf = ({ data }: SignedCheckpoint, to: SignedCheckpoint): boolean =>
  data.topic === to.data.topic && data.partition === to.data.partition;

/** Adds the edge at the earlier checkpoint, and the leaves after it until the next large subtree begins. */
async function knowBegin(log: Reading, known: KnownRoots, { data }: SignedCheckpoint, to: number): Promise<boolean> {
  const { topic, partition, window } = data;
  const from = window.first;
  const edge = Edge.fromHex(from, window.edge);
  if (edge === undefined) return false;
  known.addEdge(
    from,
    window.edge.flatMap((hex) => digestOf(hex) ?? []),
  );
  const until = Math.min(to, Math.ceil(from / subtreeLeaves) * subtreeLeaves);
  if (edge.count === until) return true;
  for await (const { leaf } of recordsIn(log, {
    topic,
    partition,
    from: window.offset,
    to: await log.end(topic, partition),
  })) {
    known.append(edge, hashOfLeaf(leaf));
    if (edge.count === until) return true;
  }
  return false;
}

/** Adds the edge at the later checkpoint. */
async function knowEnd(log: Reading, known: KnownRoots, { data, checkpoint }: SignedCheckpoint): Promise<boolean> {
  const { topic, partition, window } = data;
  const edge = Edge.fromHex(window.first, window.edge);
  if (edge === undefined) return false;
  for await (const { leaf } of recordsIn(log, { topic, partition, from: window.offset, to: window.end }))
    edge.append(hashOfLeaf(leaf));
  known.addEdge(
    edge.count,
    edge.toHex().flatMap((hex) => digestOf(hex) ?? []),
  );
  return edge.count === checkpoint.count;
}
