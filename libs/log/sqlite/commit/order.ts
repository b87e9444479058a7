// The messages between the log and its commit thread: orders one way, outcomes the other.
import type { OwningStage, PassingTopic } from '../../../domain/flow.ts';
import type { PortErrorCode } from '../../../domain/port-error.ts';
import type { Mark } from '../../log.ts';
import type { Claim } from '../../appending/owned-writer.ts';
import type { Rows, StoredRows } from '../rows/rows.ts';

export interface AppendOrder {
  readonly kind: 'append';
  readonly id: number;
  readonly bytes: number;
  readonly topics: readonly Rows[];
  /** Set by writers: carried out only if the claim is the newest and the mark's batch follows the stored one. */
  readonly marked: { readonly claim: Claim; readonly mark: Mark } | null;
}

/** Takes a partition over, or, with a generation, settles its owner's earlier appends by writing the mark again. */
export interface MarkOrder {
  readonly kind: 'mark';
  readonly id: number;
  readonly bytes: number;
  readonly stage: OwningStage;
  readonly partition: number;
  readonly generation: number | null;
}

/** Makes reads return no record below the offset. */
export interface TrimOrder {
  readonly kind: 'trim';
  readonly id: number;
  readonly bytes: number;
  readonly topic: PassingTopic;
  readonly partition: number;
  readonly below: number;
}

export type Order = AppendOrder | MarkOrder | TrimOrder;

/** An append whose rows have the form in which they are stored. */
export type ReadyAppend = Omit<AppendOrder, 'topics'> & { readonly topics: readonly StoredRows[] };

export type ReadyOrder = ReadyAppend | MarkOrder | TrimOrder;

/** The mark that was written; tails of its topic receive it. */
export interface WrittenMark {
  readonly mark: Mark;
  readonly text: string;
  readonly offset: number;
}

interface Carried<Written> {
  readonly id: number;
  /** The offset of the first record in each topic of the order; the others follow without a gap. */
  readonly firstOffsets: readonly number[];
  readonly written: Written | null;
}

export type Outcome =
  Carried<WrittenMark> | { readonly id: number; readonly code: PortErrorCode; readonly message: string };

/** An order that was carried out, as reported to the main thread. */
export type Done = Carried<Omit<WrittenMark, 'mark'> & Partial<Pick<WrittenMark, 'mark'>>>;

/** The values that crossing/flat.ts packs and unpacks. */
export type Packed = string | number | boolean | null;
export type PackedAppend = readonly Packed[];
/** An append that was carried out: its id, the text and offset of its mark, and the first offset of each topic. */
export type PackedDone = readonly [id: number, text: string | null, offset: number, ...firstOffsets: number[]];

/** First `ready` or `refused`, then the outcomes of each commit. */
export type FromThread =
  | { readonly type: 'ready' }
  | { readonly type: 'refused'; readonly code: PortErrorCode; readonly message: string }
  | { readonly type: 'outcomes'; readonly outcomes: readonly (Outcome | PackedDone)[] };

export type ToThread = Exclude<Order, AppendOrder> | PackedAppend | { readonly kind: 'close' };

export interface ThreadData {
  readonly file: string;
  readonly partitions: number;
}
