// The figures that a loop reports for metrics: how long it has been idle, and its inputs.
import type { TopicName } from '../../../domain/flow.ts';

/** An input, and the offset of the next record to read there. */
export interface Input {
  readonly topic: TopicName;
  readonly partition: number;
  readonly offset: number;
  /** The partition that the reader owns: topics of the control plane have one partition, which every owner reads. */
  readonly owned: number;
}

export interface LoopFigures {
  /** Milliseconds since its slowest loop last turned. */
  readonly idleMs: number;
  /** The inputs that it reads; absent for a loop that keeps no position on the log. */
  readonly inputs?: readonly Input[];
}
