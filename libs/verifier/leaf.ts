// Builds the hashed text of a leaf of an audit tree: it can replace a record that a reader must not see.
import { type Digest, leafHash, sha256Hex } from './tree/hashes.ts';

/** The signed facts of one record. */
export interface Leaf {
  /** When the record was made, in epoch milliseconds. */
  readonly time: number;
  /** SHA-256 of the workspace's id, in hex. */
  readonly workspace: string;
  /** SHA-256 of the record's line, in hex. */
  readonly digest: string;
}

/** Returns the leaf of a record's line, as `JSON.stringify` writes its CloudEvent. */
export const leafOf = (line: string, time: number, workspace: string): Leaf => ({
  time,
  workspace: sha256Hex(workspace),
  digest: sha256Hex(line),
});

export const leafText = ({ time, workspace, digest }: Leaf): string => `${time}\n${workspace}\n${digest}`;

export const hashOfLeaf = (leaf: Leaf): Digest => leafHash(leafText(leaf));
