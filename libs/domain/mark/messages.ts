// The message of a mark: how far a stage has read, by owned partition (topics `marks.<stage>`).
import type { MessageOf } from '../message.ts';

/** The next offset by `topic/partition`, in a mark and in the views' checkpoint. */
export type Positions = Readonly<Record<string, number>>;

/** How far a stage has read for its owned partition, as of its last append. */
export interface Mark {
  readonly positions: Positions;
  readonly generation: number;
  readonly batch: number;
}

export type MarkMoved = MessageOf<{ MarkMoved: Mark }>;
