// Proves that a checkpoint includes a record, from the edge before its part of history and this part's leaves.
import type { CheckpointSigned } from '../../../../../domain/audit/messages.ts';
import { Edge } from '../../../../../verifier/tree/edge.ts';
import { digestOf } from '../../../../../verifier/tree/hashes.ts';
import { hashOfLeaf } from '../../../../../verifier/leaf.ts';
import { KnownRoots } from '../../../../../verifier/tree/known-roots.ts';
import { inclusionParts } from '../../../../../verifier/tree/paths.ts';
import { readCheckpoint } from '../../../../../verifier/export/partition/signed-checkpoint.ts';
import type { LogReader } from '../signed/checkpoints.ts';
import { readRecordsIn } from '../signed/window-records.ts';

export interface Inclusion {
  readonly index: number;
  /** The record's line as it was signed. */
  readonly line: string;
  readonly path: readonly string[];
}

/** `offset`: the record's, within the checkpoint's window. Undefined: the log no longer holds what was signed. */
export async function proveRecord(
  log: LogReader,
  signed: CheckpointSigned,
  offset: number,
): Promise<Inclusion | undefined> {
  const { topic, partition, window } = signed;
  const checkpoint = readCheckpoint(signed.line);
  const edge = Edge.fromHex(window.first, window.edge);
  if (edge === undefined || checkpoint === undefined) return undefined;
  const known = new KnownRoots();
  known.addEdge(
    window.first,
    window.edge.flatMap((hex) => digestOf(hex) ?? []),
  );
  let found: { readonly index: number; readonly line: string } | undefined;
  for await (const { record, line, leaf } of readRecordsIn(log, {
    topic,
    partition,
    from: window.offset,
    to: window.end,
  })) {
    if (record.offset === offset) found = { index: edge.count, line };
    known.append(edge, hashOfLeaf(leaf));
  }
  if (found === undefined || edge.count !== checkpoint.count) return undefined;
  if (edge.root().toString('hex') !== checkpoint.root) return undefined;
  const path = known.rootsOf(inclusionParts(found.index, checkpoint.count));
  return path === undefined ? undefined : { ...found, path: path.map((digest) => digest.toString('hex')) };
}
