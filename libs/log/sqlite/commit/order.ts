// The messages between the log and its commit thread: orders one way, outcomes the other.
import type { OwningStage, ExpiringTopic } from '../../../domain/flow.ts';
import type { PortErrorCode } from '../../../domain/port-error.ts';
import type { Mark } from '../../log.ts';
import type { Claim } from '../../appending/owned-writer.ts';
import type { TopicRows, StoredTopicRows } from '../rows/rows.ts';

export interface AppendOrder {
  readonly kind: 'append';
  readonly id: number;
  readonly bytes: number;
  readonly topics: readonly TopicRows[];
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
  readonly topic: ExpiringTopic;
  readonly partition: number;
  readonly below: number;
}

export type Order = AppendOrder | MarkOrder | TrimOrder;

/** An append whose rows have the form in which they are stored. */
export type ReadyAppend = Omit<AppendOrder, 'topics'> & { readonly topics: readonly StoredTopicRows[] };

export type ReadyOrder = ReadyAppend | MarkOrder | TrimOrder;

/** The mark that was written; tails of its topic receive it. */
export interface WrittenMark {
  readonly mark: Mark;
  readonly text: string;
  readonly offset: number;
}

interface OrderResult<Written> {
  readonly id: number;
  /** The offset of the first record in each topic of the order; the others follow without a gap. */
  readonly firstOffsets: readonly number[];
  readonly written: Written | null;
}

export type OrderOutcome =
  OrderResult<WrittenMark> | { readonly id: number; readonly code: PortErrorCode; readonly message: string };

/** An order that was carried out, as reported to the main thread. */
export type CompletedOrder = OrderResult<Omit<WrittenMark, 'mark'> & Partial<Pick<WrittenMark, 'mark'>>>;

/** The values that messages/flat-messages.ts packs and unpacks. */
export type PackedValue = string | number | boolean | null;
export type PackedAppend = readonly PackedValue[];
/** An append that was carried out: its id, the text and offset of its mark, and the first offset of each topic. */
export type PackedOutcome = readonly [id: number, text: string | null, offset: number, ...firstOffsets: number[]];

/** First `ready` or `refused`, then the outcomes of each commit. */
export type CommitThreadReply =
  | { readonly type: 'ready' }
  | { readonly type: 'refused'; readonly code: PortErrorCode; readonly message: string }
  | { readonly type: 'outcomes'; readonly outcomes: readonly (OrderOutcome | PackedOutcome)[] };

export type CommitThreadMessage = Exclude<Order, AppendOrder> | PackedAppend | { readonly kind: 'close' };

export interface ThreadData {
  readonly file: string;
  readonly partitions: number;
}
