// Which parts of a partition's history an export takes: from the first that holds some of the time asked for.
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
  /** Ends with the first checkpoint that has seen a record of this time or later. */
  readonly until: Millis;
}

export class ExportedPartition {
  readonly place: SignedPlace;
  /** The newest checkpoint when the export began; what is signed later is left to the next export. */
  readonly head: TreeMoved | undefined;
  readonly #span: Span;
  readonly #newest: Millis;
  /** Of the last checkpoint that was taken. */
  #count: number | undefined;
  #isDone: boolean;
  /** The last part that retention had begun to remove. */
  #skipped: SignedCheckpoint | undefined;

  constructor(place: SignedPlace, head: TreeMoved | undefined, span: Span) {
    this.place = place;
    this.head = head;
    this.#span = span;
    this.#newest = (head === undefined ? undefined : readCheckpoint(head.line)?.newest) ?? 0;
    this.#isDone = head === undefined || this.#newest < span.from;
  }

  /** It needs no further checkpoint. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Whether records that are not signed yet can be of the requested time and follow directly on what was exported. */
  get hasTail(): boolean {
    if (this.head === undefined || this.#newest < this.#span.from) return true;
    const isWhole =
      this.#count === undefined
        ? this.head.trimmed.count >= this.head.count || this.isCut
        : this.#count === this.head.count;
    return isWhole && this.#newest < this.#span.until;
  }

  /** Retention has removed some of what the newest checkpoint signs, so that nothing of it can be proved. */
  get isCut(): boolean {
    return this.#count === undefined && this.#skipped !== undefined && this.#skipped.data.line === this.head?.line;
  }

  /** The line that shows how far the first part reaches back, where retention removed what was before it. */
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
