// The lines of an export of history: what the service writes and the verifier reads (docs/audit.md, "The file").
import type { Signature } from '../../checkpoint.ts';
import { sha256Hex } from '../../tree/hashes.ts';

export const exportVersion = 1;

/** A partition of a topic, as messages name it. */
export interface Place {
  readonly topic: string;
  readonly partition: number;
}

export const placeName = ({ topic, partition }: Place): string => `${topic}/${partition}`;

export interface PublicKey {
  readonly id: string;
  /** In base64. */
  readonly publicKey: string;
}

/** A checkpoint as it is handed on: the text that was signed, and by whom. */
export interface SignedLine {
  readonly line: string;
  readonly signatures: readonly Signature[];
}

/** The first line: what was asked, and what there is to read. */
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
  /** Each topic that keeps its history, and how many partitions it has. */
  readonly topics: readonly { readonly topic: string; readonly partitions: number }[];
}

/** The newest checkpoint of a partition when the export began, or null if it had none. One for each partition. */
export interface StateLine extends Place {
  readonly newest: SignedLine | null;
}

/** What lies between two checkpoints begins: with the number of its first record, and the tree's edge there. */
export interface WindowLine extends Place {
  readonly first: number;
  readonly edge: readonly string[];
  /** The line of the checkpoint at `first`; empty at the beginning of a partition. */
  readonly before: string;
  /** Where retention made the export begin later than it was asked to: the line of the checkpoint before `before`. */
  readonly earlier?: string;
}

/** A record that the export may not hold: another workspace's, or outside the time that was asked for. */
export interface OutsideLine extends Place {
  readonly index: number;
  readonly outside: { readonly time: number; readonly workspace: string; readonly digest: string };
}

/** Ends what lies between two checkpoints. */
export interface CheckpointLine extends Place {
  readonly checkpoint: string;
  readonly signatures: readonly Signature[];
  /** Base64 of the first bytes of each leaf since the checkpoint before: they tell which record differs. */
  readonly prints: string;
}

/** Ends records that no checkpoint has signed yet; `end` is the number of the next record. */
export interface TailLine extends Place {
  readonly end: number;
}

/** From here an export that broke off continues: the file up to and with this line, then what the service sends. */
export interface CursorLine {
  readonly cursor: string;
}

export interface EndLine {
  /** How many events the file holds. */
  readonly records: number;
  /** Of all lines since the last cursor, that one included. */
  readonly digest: string;
}

/** Everything before a record's own line of JSON; after that comes one closing brace. */
export const eventPrefix = ({ topic, partition }: Place, index: number): string =>
  `{"topic":"${topic}","partition":${partition},"index":${index},"event":`;

export const outsideLine = ({ topic, partition }: Place, index: number, outside: OutsideLine['outside']): string =>
  JSON.stringify({
    topic,
    partition,
    index,
    outside: { time: outside.time, workspace: outside.workspace, digest: outside.digest },
  });

/** Of a leaf's hash, 4 characters in base64: a record that was changed keeps its print once in 16 million times. */
export const printBytes = 3;

/** More records than this do not lie between two checkpoints that the service makes. */
export const windowRecordsMax = 65_536;

/**
 * How long after the end of the asked time the clock of a record's writer may have been behind: an export goes on to
 * the first checkpoint that has seen a record from after it.
 */
export const clockSlackMs = 60_000;

export const workspaceHash = (workspace: string): string => sha256Hex(workspace);
