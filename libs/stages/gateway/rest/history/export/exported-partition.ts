// Decides which parts of a partition's history an export has, from the first one that overlaps the requested time.
import type { TreeMoved } from '../../../../../domain/audit/messages.ts';
import type { SignedTopic } from '../../../../../domain/flow.ts';
import type { Millis } from '../../../../../domain/message.ts';
import { readCheckpoint } from '../../../../../verifier/export/partition/signed-checkpoint.ts';
import type { SignedCheckpoint } from '../signed/checkpoints.ts';

export interface SignedPartitionId {
  readonly topic: SignedTopic;
  readonly partition: number;
}

export interface ExportSpan {
  readonly from: Millis;
  /** The export ends with the first checkpoint that covers a record of this time or later. */
  readonly until: Millis;
}

export class ExportedPartition {
  readonly partitionId: SignedPartitionId;
  /** The newest checkpoint when the export began; what is signed later is not exported. */
  readonly head: TreeMoved | undefined;
  readonly #span: ExportSpan;
  readonly #newest: Millis;
  /** The count of the last exported checkpoint. */
  #count: number | undefined;
  #isDone: boolean;
  /** The last part of which retention had removed some. */
  #skipped: SignedCheckpoint | undefined;

  constructor(partitionId: SignedPartitionId, head: TreeMoved | undefined, span: ExportSpan) {
    this.partitionId = partitionId;
    this.head = head;
    this.#span = span;
    this.#newest = (head === undefined ? undefined : readCheckpoint(head.line)?.newest) ?? 0;
    this.#isDone = head === undefined || this.#newest < span.from;
  }

  /** Whether it needs no further checkpoint. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Whether unsigned records can be of the requested time and follow directly on what was exported. */
  get hasTail(): boolean {
    if (this.head === undefined || this.#newest < this.#span.from) return true;
    const isComplete =
      this.#count === undefined
        ? this.head.trimmed.count >= this.head.count || this.isTrimmed
        : this.#count === this.head.count;
    return isComplete && this.#newest < this.#span.until;
  }

  /** Whether retention has removed some of what the newest checkpoint signs, so that nothing of it can be proved. */
  get isTrimmed(): boolean {
    return this.#count === undefined && this.#skipped !== undefined && this.#skipped.data.line === this.head?.line;
  }

  /** The line that shows how far back the first part reaches, if retention has removed what was before it. */
  get earlier(): string | undefined {
    if (this.#count !== undefined || this.#skipped === undefined) return undefined;
    const { before } = this.#skipped.data.window;
    return before === '' ? undefined : before;
  }

  shouldExport(signed: SignedCheckpoint): boolean {
    const { checkpoint, data } = signed;
    if (this.#isDone || this.head === undefined || checkpoint.newest < this.#span.from) return false;
    if (this.#count !== undefined || data.window.first >= this.head.trimmed.count) return true;
    this.#skipped = signed;
    this.#isDone = data.line === this.head.line;
    return false;
  }

  markExported({ checkpoint, data }: SignedCheckpoint): void {
    this.#count = checkpoint.count;
    this.#isDone = checkpoint.newest >= this.#span.until || data.line === this.head?.line;
  }
}
