// Decides which parts of a partition's history an export has, from the first one that overlaps the requested time.
import type { TreeMoved } from '../../../../../domain/audit/messages.ts';
import type { SignedTopic } from '../../../../../domain/flow.ts';
import type { Millis } from '../../../../../domain/message.ts';
import { readCheckpoint } from '../../../../../verifier/export/partition/signed-checkpoint.ts';
import type { SignedCheckpoint } from '../signed/checkpoints.ts';

export interface SignedPlace {
  readonly topic: SignedTopic;
  readonly partition: number;
}

export interface Span {
  readonly from: Millis;
  /** The export ends with the first checkpoint that covers a record of this time or later. */
  readonly until: Millis;
}

export class ExportedPartition {
  readonly place: SignedPlace;
  /** The newest checkpoint when the export began; what is signed later is not exported. */
  readonly head: TreeMoved | undefined;
  readonly #span: Span;
  readonly #newest: Millis;
  /** The count of the last exported checkpoint. */
  #count: number | undefined;
  #isDone: boolean;
  /** The last part of which retention had removed some. */
  #skipped: SignedCheckpoint | undefined;

  constructor(place: SignedPlace, head: TreeMoved | undefined, span: Span) {
    this.place = place;
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
    const isWhole =
      this.#count === undefined
        ? this.head.trimmed.count >= this.head.count || this.isCut
        : this.#count === this.head.count;
    return isWhole && this.#newest < this.#span.until;
  }

  /** Whether retention has removed some of what the newest checkpoint signs, so that nothing of it can be proved. */
  get isCut(): boolean {
    return this.#count === undefined && this.#skipped !== undefined && this.#skipped.data.line === this.head?.line;
  }

  /** The line that shows how far back the first part reaches, if retention has removed what was before it. */
  get earlier(): string | undefined {
    if (this.#count !== undefined || this.#skipped === undefined) return undefined;
    const { before } = this.#skipped.data.window;
    return before === '' ? undefined : before;
  }

  takes(signed: SignedCheckpoint): boolean {
    const { checkpoint, data } = signed;
    if (this.#isDone || this.head === undefined || checkpoint.newest < this.#span.from) return false;
    if (this.#count !== undefined || data.window.first >= this.head.trimmed.count) return true;
    this.#skipped = signed;
    this.#isDone = data.line === this.head.line;
    return false;
  }

  took({ checkpoint, data }: SignedCheckpoint): void {
    this.#count = checkpoint.count;
    this.#isDone = checkpoint.newest >= this.#span.until || data.line === this.head?.line;
  }
}
