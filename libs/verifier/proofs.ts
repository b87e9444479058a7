// Verifies single proofs: that a record is in signed history, and that one checkpoint extends another.
import type { SignedLine } from './export/file/format.ts';
import { AuditorKeyring } from './export/keyring.ts';
import { readCheckpoint } from './export/partition/signed-checkpoint.ts';
import { hashOfLeaf, leafOf } from './leaf.ts';
import { type Digest, digestOf } from './tree/hashes.ts';
import { verifyConsistency, verifyInclusion } from './tree/proof.ts';

export interface RecordProof {
  /** The record as it was signed: one line of JSON. */
  readonly line: string;
  /** Its number in its partition, from 0. */
  readonly index: number;
  readonly path: readonly string[];
  readonly checkpoint: SignedLine;
}

export interface ExtensionProof {
  readonly from: SignedLine;
  readonly to: SignedLine;
  readonly path: readonly string[];
}

/** Returns what is wrong with a proof; undefined if the record is the signed one. `keys`: public keys in base64. */
export function faultOfRecord(
  { line, index, path, checkpoint: signed }: RecordProof,
  keys: readonly string[],
): string | undefined {
  const [checkpoint, fault] = readTrusted(signed, keys);
  if (checkpoint === undefined) return fault;
  const { topic, count } = checkpoint;
  const event = eventIn(line);
  if (event?.source !== `/wellspring/${topic}`) return 'the line is no record of the checkpoint’s topic';
  const leaf = hashOfLeaf(leafOf(line, event.time, event.workspace));
  const isValid = verifyInclusion({ index, leaf, count, root: rootOf(checkpoint.root), path: digestsOf(path) });
  return isValid ? undefined : 'the path does not lead from the record to the checkpoint’s root';
}

/** Returns what is wrong; undefined if the later checkpoint's history begins with the earlier one's, unchanged. */
export function faultOfExtension({ from, to, path }: ExtensionProof, keys: readonly string[]): string | undefined {
  const [earlier, earlierFault] = readTrusted(from, keys);
  const [later, laterFault] = readTrusted(to, keys);
  if (earlier === undefined || later === undefined) return earlierFault ?? laterFault;
  if (earlier.topic !== later.topic || earlier.partition !== later.partition)
    return 'the checkpoints are of different partitions';
  const ends = [earlier, later].map(({ count, root }) => ({ count, root: rootOf(root) }));
  const [first, last] = ends;
  if (first === undefined || last === undefined) return 'there are not two checkpoints';
  const isValid = verifyConsistency({ from: first, to: last, path: digestsOf(path) });
  return isValid ? undefined : 'the later checkpoint does not extend the earlier one';
}

type TrustedCheckpoint = readonly [ReturnType<typeof readCheckpoint>, string | undefined];

function readTrusted(signed: SignedLine, keys: readonly string[]): TrustedCheckpoint {
  const checkpoint = readCheckpoint(signed.line);
  if (checkpoint === undefined) return [undefined, 'what should be a checkpoint is not valid'];
  const fault = new AuditorKeyring(keys).faultOf(checkpoint, signed);
  return fault === undefined ? [checkpoint, undefined] : [undefined, `the checkpoint ${fault}`];
}

function eventIn(
  line: string,
): { readonly source: unknown; readonly time: number; readonly workspace: string } | undefined {
  try {
    const { source, time, workspace } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if (typeof time !== 'string' || typeof workspace !== 'string') return undefined;
    return { source, time: Date.parse(time), workspace };
  } catch {
    return undefined;
  }
}

const rootOf = (hex: string): Digest => Buffer.from(hex, 'hex');
/** Decodes a path; a text that is not a digest becomes a value that matches no hash. */
const digestsOf = (path: readonly string[]): readonly Digest[] => path.map((hex) => digestOf(hex) ?? Buffer.alloc(0));
