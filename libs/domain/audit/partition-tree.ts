// Grows the Merkle tree over one partition: collects records into windows, and signs each full window as a checkpoint.
import {
  type Checkpoint,
  checkpointLine,
  checkpointVersion,
  type Signature,
  signLine,
} from '../../verifier/checkpoint.ts';
import { readCheckpoint } from '../../verifier/export/partition/signed-checkpoint.ts';
import { Edge } from '../../verifier/tree/edge.ts';
import { type Digest, sha256Hex } from '../../verifier/tree/hashes.ts';
import type { SignedTopic } from '../flow.ts';
import type { Millis } from '../message.ts';
import type { AuditKey } from './key.ts';
import type { CheckpointSigned, TreeMoved } from './messages.ts';
import { type RecordPrefix, Window } from './window.ts';

/** The number of records after which a checkpoint is due. */
export const windowRecordsMax = 10_000;
/** Subtrees of at least 1,024 leaves are kept: a proof then needs at most 1,023 more leaves. */
const subtreeLevelMin = 10;

export interface SigningContext {
  readonly keys: {
    readonly key: AuditKey;
    /** The key with this id, if it is known: after a change the former key signs once more. */
    keyOf(keyId: string): AuditKey | undefined;
  };
  readonly now: Millis;
}

export interface SignedWindow {
  readonly checkpoint: CheckpointSigned;
  readonly tree: TreeMoved;
}

/** Whether the unsigned data next to the line agrees with the line. */
const matchesCheckpoint = ({ topic, partition, trimmed }: TreeMoved, edge: Edge, last: Checkpoint): boolean =>
  last.topic === topic &&
  last.partition === partition &&
  last.count === edge.count &&
  last.root === edge.root().toString('hex') &&
  last.trimmed === trimmed.count;

export class PartitionTree {
  readonly topic: SignedTopic;
  readonly partition: number;
  readonly #edge: Edge;
  #nextOffset: number;
  #trimmedPrefix: RecordPrefix;
  /** The last checkpoint that was signed. */
  #lastLine: string;
  #lastCheckpoint: Checkpoint | undefined;
  /** Windows that are complete and not signed yet. */
  #closedWindows: Window[] = [];
  #openWindow: Window;

  private constructor(
    identity: { topic: SignedTopic; partition: number },
    restored?: { edge: Edge; last: Checkpoint; tree: TreeMoved },
  ) {
    this.topic = identity.topic;
    this.partition = identity.partition;
    this.#edge = restored?.edge ?? new Edge();
    this.#nextOffset = restored?.tree.offset ?? 0;
    this.#trimmedPrefix = restored?.tree.trimmed ?? { count: 0, offset: 0 };
    this.#lastLine = restored?.tree.line ?? '';
    this.#lastCheckpoint = restored?.last;
    this.#openWindow = this.#newWindow(this.#lastCheckpoint?.newest ?? 0);
  }

  static empty(topic: SignedTopic, partition: number): PartitionTree {
    return new PartitionTree({ topic, partition });
  }

  /** Restores a tree; undefined: the record is inconsistent. */
  static from(tree: TreeMoved): PartitionTree | undefined {
    const edge = Edge.fromHex(tree.count, tree.edge);
    const last = readCheckpoint(tree.line);
    if (edge === undefined || last === undefined || !matchesCheckpoint(tree, edge, last)) return undefined;
    return new PartitionTree(tree, { edge, last, tree });
  }

  /** How many records have been counted, signed or not. */
  get count(): number {
    return this.#edge.count;
  }

  /** The offset after the last counted record. */
  get offset(): number {
    return this.#nextOffset;
  }

  get trimmed(): RecordPrefix {
    return this.#trimmedPrefix;
  }

  /** The number of closed windows that wait to be signed. */
  get closedCount(): number {
    return this.#closedWindows.length;
  }

  /** Counts the next record: its leaf's hash, its time, the offset after it, and whether it has already expired. */
  add(leaf: Digest, { time, next, isExpired }: { time: Millis; next: number; isExpired: boolean }): void {
    const window = this.#openWindow;
    const isAllTrimmed = this.#trimmedPrefix.count === this.#edge.count;
    this.#edge.append(leaf, ({ level, index, root }) => {
      if (level >= subtreeLevelMin) window.subtrees.push({ level, index, root: root.toString('hex') });
    });
    this.#nextOffset = next;
    window.add(leaf, time, next);
    if (isExpired && isAllTrimmed) this.#trimmedPrefix = { count: this.#edge.count, offset: next };
    if (window.count - window.first >= windowRecordsMax) this.#rotateWindow();
  }

  /**
   * Retention may remove this many records from the beginning, all of which were counted; the number never decreases.
   */
  trimTo(trimmed: RecordPrefix): void {
    if (trimmed.count > this.#trimmedPrefix.count) this.#trimmedPrefix = trimmed;
  }

  /** Closes the open window, so that everything counted can be signed; does nothing if nothing is new. */
  closeOpenWindow(): void {
    if (this.#openWindow.count > this.#openWindow.first || this.#isTrimmedFurther) this.#rotateWindow();
  }

  /** Signs the oldest closed window; undefined: there is none. */
  sign(context: SigningContext): SignedWindow | undefined {
    const window = this.#closedWindows.shift();
    if (window === undefined) return undefined;
    const checkpoint = this.#checkpointOf(window, context);
    const line = checkpointLine(checkpoint);
    const signatures = this.#signaturesOf(line, context);
    const common = { topic: this.topic, partition: this.partition, line, signatures };
    const { first, offset, end, edge } = window;
    const { prints, subtrees } = window;
    const signedCheckpoint = {
      ...common,
      window: { first, offset, end, edge, before: this.#lastLine },
      subtrees,
      prints: prints.text,
    };
    this.#lastLine = line;
    this.#lastCheckpoint = checkpoint;
    return {
      checkpoint: signedCheckpoint,
      tree: { ...common, count: window.count, offset: end, edge: window.edgeAfter, trimmed: window.trimmed },
    };
  }

  get #isTrimmedFurther(): boolean {
    return (
      this.#trimmedPrefix.count > (this.#closedWindows.at(-1)?.trimmed.count ?? this.#lastCheckpoint?.trimmed ?? 0)
    );
  }

  #checkpointOf({ count, root, newest, trimmed }: Window, { keys: { key }, now }: SigningContext): Checkpoint {
    const { topic, partition } = this;
    const previous = this.#lastLine === '' ? '' : sha256Hex(this.#lastLine);
    return {
      version: checkpointVersion,
      topic,
      partition,
      count,
      root,
      newest,
      trimmed: trimmed.count,
      previous,
      time: now,
      keyId: key.keyId,
    };
  }

  #signaturesOf(line: string, { keys }: SigningContext): readonly Signature[] {
    const { key } = keys;
    const lastKeyId = this.#lastCheckpoint?.keyId ?? key.keyId;
    const former = lastKeyId === key.keyId ? undefined : keys.keyOf(lastKeyId);
    return [key, ...(former === undefined ? [] : [former])].map(({ keyId, privateKey }) => {
      return { keyId, signature: signLine(line, privateKey) };
    });
  }

  #rotateWindow(): void {
    this.#openWindow.close(this.#edge, this.#trimmedPrefix);
    this.#closedWindows.push(this.#openWindow);
    this.#openWindow = this.#newWindow(this.#openWindow.newest);
  }

  #newWindow(newest: Millis): Window {
    return new Window({ first: this.#edge.count, offset: this.#nextOffset, edge: this.#edge.toHex(), newest });
  }
}
