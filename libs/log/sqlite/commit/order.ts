// What crosses between the log and its commit thread: orders there, outcomes back.
import type { OwningStage, PassingTopic, TopicName } from '../../../domain/flow.ts';
import type { PortErrorCode } from '../../../domain/port-error.ts';
import type { Mark } from '../../log.ts';
import type { Claim } from '../../appending/owned-writer.ts';

/** What a row of a topic's table holds, but for its offset. */
export interface Row {
  readonly partition: number;
  /** null where a key's older records are kept. */
  readonly key: string | null;
  /** How many records, each a line of JSON text. */
  readonly count: number;
  readonly lines: string;
  /** It takes away the rows of its key, and goes itself once its readers have it. */
  readonly isTombstone?: boolean;
}

/** Rows of one topic. */
export interface Rows {
  readonly topic: TopicName;
  readonly rows: readonly Row[];
}

export interface AppendOrder {
  readonly kind: 'append';
  readonly id: number;
  readonly bytes: number;
  readonly topics: readonly Rows[];
  /** Of a writer: carried out only if the claim is the newest and the mark's batch follows the one that stands. */
  readonly marked: { readonly claim: Claim; readonly mark: Mark } | null;
}

/** Takes a partition over, or, with a generation, settles what its owner appended before by writing its mark again. */
export interface MarkOrder {
  readonly kind: 'mark';
  readonly id: number;
  readonly bytes: number;
  readonly stage: OwningStage;
  readonly partition: number;
  readonly generation: number | null;
}

/** Nothing below it is read from now on. */
export interface TrimOrder {
  readonly kind: 'trim';
  readonly id: number;
  readonly bytes: number;
  readonly topic: PassingTopic;
  readonly partition: number;
  readonly below: number;
}

export type Order = AppendOrder | MarkOrder | TrimOrder;

/** The mark that was written, for the tails of its topic. */
export interface WrittenMark {
  readonly mark: Mark;
  readonly text: string;
  readonly offset: number;
}

export type Outcome =
  /** Of each of the order's topics the offset of the first record; the others follow it without a gap. */
  | { readonly id: number; readonly firstOffsets: readonly number[]; readonly written: WrittenMark | null }
  | { readonly id: number; readonly code: PortErrorCode; readonly message: string };

/** `ready` or `refused` once, then outcomes of one commit each. */
export type FromThread =
  | { readonly type: 'ready' }
  | { readonly type: 'refused'; readonly code: PortErrorCode; readonly message: string }
  | { readonly type: 'outcomes'; readonly outcomes: readonly Outcome[] };

export type ToThread = Order | { readonly kind: 'close' };

export interface ThreadData {
  readonly file: string;
  readonly partitions: number;
}
