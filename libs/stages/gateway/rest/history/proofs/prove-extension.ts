// Proves that one checkpoint extends another, from the large subtrees that are stored with the checkpoints in between.
import { hashOfLeaf } from '../../../../../verifier/leaf.ts';
import { Edge } from '../../../../../verifier/tree/edge.ts';
import { digestOf } from '../../../../../verifier/tree/hashes.ts';
import { KnownRoots } from '../../../../../verifier/tree/known-roots.ts';
import { consistencyParts } from '../../../../../verifier/tree/paths.ts';
import { checkpointsFrom, type LogReader, type SignedCheckpoint } from '../signed/checkpoints.ts';
import { readRecordsIn } from '../signed/window-records.ts';

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

export async function proveExtension(log: LogReader, from: SignedCheckpoint, to: SignedCheckpoint): Promise<Extension> {
  const [earlier, later] = [from.checkpoint.count, to.checkpoint.count];
  if (earlier === later || earlier === 0) return { kind: 'proved', path: [] };
  const range = await readCheckpointsBetween(log, from, to);
  if (range.windows === undefined) return { kind: 'far', nearest: range.nearest };
  const known = new KnownRoots();
  const [first] = range.windows;
  if (first?.data.window.first !== earlier || !(await addStartRoots(log, known, first, later))) return { kind: 'gone' };
  for (const { data } of range.windows) {
    for (const { level, index, root } of data.subtrees) {
      const digest = digestOf(root);
      if (digest !== undefined) known.add({ level, index }, digest);
    }
  }
  if (!(await addEndRoots(log, known, to))) return { kind: 'gone' };
  const path = known.rootsOf(consistencyParts(earlier, later));
  return path === undefined ? { kind: 'gone' } : { kind: 'proved', path: path.map((digest) => digest.toString('hex')) };
}

interface CheckpointRange {
  /** The partition's checkpoints after `from` up to `to`. Absent: there are too many. */
  readonly windows?: readonly SignedCheckpoint[];
  readonly nearest?: SignedCheckpoint | undefined;
}

async function readCheckpointsBetween(
  log: LogReader,
  from: SignedCheckpoint,
  to: SignedCheckpoint,
): Promise<CheckpointRange> {
  const windows: SignedCheckpoint[] = [];
  let read = 0;
  for await (const signed of checkpointsFrom(log, from.offset + 1)) {
    if (signed.offset > to.offset) break;
    read += 1;
    if (read > checkpointsReadMax) return { nearest: windows.at(-1) };
    // Digests of topics are left out: they are large, and no proof needs them.
    if (isSamePartition(signed, to)) windows.push({ ...signed, data: { ...signed.data, prints: '' } });
  }
  return { windows };
}

const isSamePartition = ({ data }: SignedCheckpoint, to: SignedCheckpoint): boolean =>
  data.topic === to.data.topic && data.partition === to.data.partition;

/** Adds the edge at the earlier checkpoint, and the leaves after it until the next large subtree begins. */
async function addStartRoots(
  log: LogReader,
  known: KnownRoots,
  { data }: SignedCheckpoint,
  to: number,
): Promise<boolean> {
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
  for await (const { leaf } of readRecordsIn(log, {
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
async function addEndRoots(
  log: LogReader,
  known: KnownRoots,
  { data, checkpoint }: SignedCheckpoint,
): Promise<boolean> {
  const { topic, partition, window } = data;
  const edge = Edge.fromHex(window.first, window.edge);
  if (edge === undefined) return false;
  for await (const { leaf } of readRecordsIn(log, { topic, partition, from: window.offset, to: window.end }))
    edge.append(hashOfLeaf(leaf));
  known.addEdge(
    edge.count,
    edge.toHex().flatMap((hex) => digestOf(hex) ?? []),
  );
  return edge.count === checkpoint.count;
}
