// The types of the lines of an export of history, for the service and the verifier (docs/audit.md, "The file").
import type { Signature } from '../../checkpoint.ts';
import { sha256Hex } from '../../tree/hashes.ts';

export const exportVersion = 1;

/** A partition of a topic. */
export interface PartitionId {
  readonly topic: string;
  readonly partition: number;
}

export const partitionName = ({ topic, partition }: PartitionId): string => `${topic}/${partition}`;

export interface PublicKey {
  readonly id: string;
  /** In base64. */
  readonly publicKey: string;
}

/** A checkpoint as it is passed on: the signed text with its signatures. */
export interface SignedLine {
  readonly line: string;
  readonly signatures: readonly Signature[];
}

/** The first line: what was asked for, and what the export covers. */
export interface ExportHeader {
  readonly wellspring: 'history';
  readonly version: number;
  readonly workspace: string;
  /** Records from this time on, in epoch milliseconds. */
  readonly from: number;
  /** Records before this time. */
  readonly to: number;
  /** When the export began. */
  readonly at: number;
  readonly keys: readonly PublicKey[];
  /** Each topic that keeps its history, with its number of partitions. */
  readonly topics: readonly { readonly topic: string; readonly partitions: number }[];
}

/** The newest checkpoint of a partition when the export began, or null if it had none. One for each partition. */
export interface StateLine extends PartitionId {
  readonly newest: SignedLine | null;
}

/** Begins the records between two checkpoints, with the number of the first one, and the tree's edge there. */
export interface WindowLine extends PartitionId {
  readonly first: number;
  readonly edge: readonly string[];
  /** The line of the checkpoint at `first`; empty at the beginning of a partition. */
  readonly before: string;
  /** If retention made the export begin later than asked for: the line of the checkpoint before `before`. */
  readonly earlier?: string;
}

/** Replaces a record that the export must not hold: another workspace's, or outside the time that was asked for. */
export interface OutsideLine extends PartitionId {
  readonly index: number;
  readonly outside: { readonly time: number; readonly workspace: string; readonly digest: string };
}

/** Ends the records between two checkpoints. */
export interface CheckpointLine extends PartitionId {
  readonly checkpoint: string;
  readonly signatures: readonly Signature[];
  /** Base64 of the first bytes of each leaf since the previous checkpoint: they show which record differs. */
  readonly prints: string;
}

/** Ends records that no checkpoint has signed yet; `end` is the number of the next record. */
export interface TailLine extends PartitionId {
  readonly end: number;
}

/** A place where a broken export can continue: the file up to and including this line, then what the service sends. */
export interface CursorLine {
  readonly cursor: string;
}

export interface EndLine {
  /** How many events the file holds. */
  readonly records: number;
  /** SHA-256 of all lines since the last cursor, that one included. */
  readonly digest: string;
}

/** Returns the text before a record's own line of JSON; one closing brace follows that. */
export const eventPrefix = ({ topic, partition }: PartitionId, index: number): string =>
  `{"topic":"${topic}","partition":${partition},"index":${index},"event":`;

export const outsideLine = (
  { topic, partition }: PartitionId,
  index: number,
  outside: OutsideLine['outside'],
): string =>
  JSON.stringify({
    topic,
    partition,
    index,
    outside: { time: outside.time, workspace: outside.workspace, digest: outside.digest },
  });

/** Bytes of a leaf's hash, 4 characters in base64: a changed record keeps its print once in 16 million times. */
export const printBytes = 3;

/** The most records between two checkpoints of the service. */
export const windowRecordsMax = 65_536;

/**
 * The most by which the clock of a record's writer is assumed to be behind: an export continues to
 * the first checkpoint that covers a record from this long after the end of the requested time.
 */
export const clockSlackMs = 60_000;

export const workspaceHash = (workspace: string): string => sha256Hex(workspace);
