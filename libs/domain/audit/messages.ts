// Messages of audit: signed checkpoints (topic `checkpoints`), and the state from which it continues (topic `trees`).
import type { Signature } from '../../verifier/checkpoint.ts';
import type { SignedTopic } from '../flow.ts';
import type { MessageOf } from '../message.ts';

/** The root of the aligned subtree number `index` among those of 2^level leaves, in hex. */
export interface SubtreeRoot {
  readonly level: number;
  readonly index: number;
  readonly root: string;
}

/** The records that a checkpoint adds to the one before: enough to read them and to prove each. */
export interface CheckpointWindow {
  /** The count of the checkpoint before; 0 at the first. */
  readonly first: number;
  /** The offset from which to read the first of the records, and the one after the last. */
  readonly offset: number;
  readonly end: number;
  /** The tree's right-hand edge before them: the roots of its perfect subtrees in hex, largest first. */
  readonly edge: readonly string[];
  /** The line of the checkpoint before; empty at the first. */
  readonly before: string;
}

/** On `commands`, from the operator to audit. */
export type AuditCommand = MessageOf<{
  /** A new key signs from now on, unless the current key is no longer this one. */
  ChangeAuditKey: { readonly formerKeyId: string };
}>;

export type CheckpointEvent = MessageOf<{
  CheckpointSigned: {
    readonly topic: SignedTopic;
    readonly partition: number;
    /** The signed text, made by `checkpointLine`. The other fields are unsigned: proofs use and thereby check them. */
    readonly line: string;
    /** The current key's signature first; right after a change of keys also the former key's. */
    readonly signatures: readonly Signature[];
    readonly window: CheckpointWindow;
    /** The aligned subtrees of 1,024 leaves and more that the window completed. */
    readonly subtrees: readonly SubtreeRoot[];
    /** The first 3 bytes of the hash of each of the window's leaves, in base64: they tell which record was changed. */
    readonly prints: string;
  };
}>;

export type CheckpointSigned = CheckpointEvent['data'];

export type TreeEvent = MessageOf<{
  /** The newest checkpoint of a partition, and the state that the next one continues from. */
  TreeMoved: {
    readonly topic: SignedTopic;
    readonly partition: number;
    readonly line: string;
    readonly signatures: readonly Signature[];
    readonly count: number;
    /** The offset from which to read the first record after the checkpoint. */
    readonly offset: number;
    readonly edge: readonly string[];
    /** How many records from the beginning retention may have removed, and the offset after them. */
    readonly trimmed: { readonly count: number; readonly offset: number };
  };
  AuditKeyMade: {
    readonly keyId: string;
    /** 32 bytes in base64. */
    readonly publicKey: string;
    /** The private key under the master key: base64 of nonce, tag and ciphertext. */
    readonly sealed: string;
  };
}>;

export type TreeMoved = Extract<TreeEvent, { readonly type: 'TreeMoved' }>['data'];
export type AuditKeyMade = Extract<TreeEvent, { readonly type: 'AuditKeyMade' }>['data'];

/** The record keys on `checkpoints` and `trees`. */
export const treeKey = (topic: string, partition: number): string => `${topic}/${partition}`;
export const auditKeyKey = (keyId: string): string => `key/${keyId}`;
