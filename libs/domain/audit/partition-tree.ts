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
import { type Counted, Window } from './window.ts';

/** The number of records after which a checkpoint is due. */
export const windowRecordsMax = 10_000;
/** Subtrees of at least 1,024 leaves are kept: a proof then needs at most 1,023 more leaves. */
const subtreeLevelMin = 10;

export interface Signing {
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
const isOfLine = ({ topic, partition, trimmed }: TreeMoved, edge: Edge, last: Checkpoint): boolean =>
  last.topic === topic &&
  last.partition === partition &&
  last.count === edge.count &&
  last.root === edge.root().toString('hex') &&
  last.trimmed === trimmed.count;

export class PartitionTree {
  readonly topic: SignedTopic;
  readonly partition: number;
  readonly #edge: Edge;
  #next: number;
  #trimmed: Counted;
  /** The last checkpoint that was signed. */
  #line: string;
  #last: Checkpoint | undefined;
  /** Windows that are complete and not signed yet. */
  #closed: Window[] = [];
  #open: Window;

  private constructor(
    place: { topic: SignedTopic; partition: number },
    kept?: { edge: Edge; last: Checkpoint; tree: TreeMoved },
  ) {
    this.topic = place.topic;
    this.partition = place.partition;
    this.#edge = kept?.edge ?? new Edge();
    this.#next = kept?.tree.offset ?? 0;
    this.#trimmed = kept?.tree.trimmed ?? { count: 0, offset: 0 };
    this.#line = kept?.tree.line ?? '';
    this.#last = kept?.last;
    this.#open = this.#window(this.#last?.newest ?? 0);
  }

  static empty(topic: SignedTopic, partition: number): PartitionTree {
    return new PartitionTree({ topic, partition });
  }

  /** Restores a tree; undefined: the record is inconsistent. */
  static from(tree: TreeMoved): PartitionTree | undefined {
    const edge = Edge.fromHex(tree.count, tree.edge);
    const last = readCheckpoint(tree.line);
    if (edge === undefined || last === undefined || !isOfLine(tree, edge, last)) return undefined;
    return new PartitionTree(tree, { edge, last, tree });
  }

  /** How many records have been counted, signed or not. */
  get count(): number {
    return this.#edge.count;
  }

  /** The offset after the last counted record. */
  get offset(): number {
    return this.#next;
  }

  get trimmed(): Counted {
    return this.#trimmed;
  }

  /** The number of closed windows that wait to be signed. */
  get closed(): number {
    return this.#closed.length;
  }

  /** Counts the next record: its leaf's hash, its time, the offset after it, and whether it has already expired. */
  add(leaf: Digest, { time, next, isPast }: { time: Millis; next: number; isPast: boolean }): void {
    const window = this.#open;
    const isFirstKept = this.#trimmed.count === this.#edge.count;
    this.#edge.append(leaf, ({ level, index, root }) => {
      if (level >= subtreeLevelMin) window.subtrees.push({ level, index, root: root.toString('hex') });
    });
    this.#next = next;
    window.add(leaf, time, next);
    if (isPast && isFirstKept) this.#trimmed = { count: this.#edge.count, offset: next };
    if (window.count - window.first >= windowRecordsMax) this.#close();
  }

  /**
   * Retention may remove this many records from the beginning, all of which were counted; the number never decreases.
   */
  trimTo(trimmed: Counted): void {
    if (trimmed.count > this.#trimmed.count) this.#trimmed = trimmed;
  }

  /** Closes the open window, so that everything counted can be signed; does nothing if nothing is new. */
  closeAll(): void {
    if (this.#open.count > this.#open.first || this.#isTrimmedFurther) this.#close();
  }

  /** Signs the oldest closed window; undefined: there is none. */
  sign(signing: Signing): SignedWindow | undefined {
    const window = this.#closed.shift();
    if (window === undefined) return undefined;
    const checkpoint = this.#checkpointOf(window, signing);
    const line = checkpointLine(checkpoint);
    const signatures = this.#signatures(line, signing);
    const place = { topic: this.topic, partition: this.partition, line, signatures };
    const { first, offset, end, edge } = window;
    const { prints, subtrees } = window;
    const signed = {
      ...place,
      window: { first, offset, end, edge, before: this.#line },
      subtrees,
      prints: prints.text,
    };
    this.#line = line;
    this.#last = checkpoint;
    return {
      checkpoint: signed,
      tree: { ...place, count: window.count, offset: end, edge: window.edgeAfter, trimmed: window.trimmed },
    };
  }

  get #isTrimmedFurther(): boolean {
    return this.#trimmed.count > (this.#closed.at(-1)?.trimmed.count ?? this.#last?.trimmed ?? 0);
  }

  #checkpointOf({ count, root, newest, trimmed }: Window, { keys: { key }, now }: Signing): Checkpoint {
    const { topic, partition } = this;
    const previous = this.#line === '' ? '' : sha256Hex(this.#line);
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

  #signatures(line: string, { keys }: Signing): readonly Signature[] {
    const { key } = keys;
    const last = this.#last?.keyId ?? key.keyId;
    const former = last === key.keyId ? undefined : keys.keyOf(last);
    return [key, ...(former === undefined ? [] : [former])].map(({ keyId, privateKey }) => {
      return { keyId, signature: signLine(line, privateKey) };
    });
  }

  #close(): void {
    this.#open.close(this.#edge, this.#trimmed);
    this.#closed.push(this.#open);
    this.#open = this.#window(this.#open.newest);
  }

  #window(newest: Millis): Window {
    return new Window({ first: this.#edge.count, offset: this.#next, edge: this.#edge.toHex(), newest });
  }
}
