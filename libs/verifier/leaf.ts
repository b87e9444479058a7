// The text that a leaf of an audit tree hashes: enough to stand in for a record that a reader may not hold.
import { type Digest, leafHash, sha256Hex } from './tree/hashes.ts';

/** What is signed of one record. */
export interface Leaf {
  /** When the record was made, in epoch milliseconds. */
  readonly time: number;
  /** SHA-256 of the workspace's id, in hex. */
  readonly workspace: string;
  /** SHA-256 of the record's line, in hex. */
  readonly digest: string;
}

/** Of a record's line, as `JSON.stringify` writes its CloudEvent. */
export const leafOf = (line: string, time: number, workspace: string): Leaf => ({
  time,
  workspace: sha256Hex(workspace),
  digest: sha256Hex(line),
});

export const leafText = ({ time, workspace, digest }: Leaf): string => `${time}\n${workspace}\n${digest}`;

export const hashOfLeaf = (leaf: Leaf): Digest => leafHash(leafText(leaf));
