// Marks as messages: how far each stage has come in its owned partitions (topics `marks.<stage>`).
import type { MessageOf } from '../message.ts';

/** Next offset per `topic/partition`: what a mark and a checkpoint hold. */
export type Positions = Readonly<Record<string, number>>;

/** How far a stage has come in its owned partition, as its last append left it. */
export interface Mark {
  readonly positions: Positions;
  readonly generation: number;
  readonly batch: number;
}

export type MarkMoved = MessageOf<{ MarkMoved: Mark }>;
