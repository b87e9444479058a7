// What a stage is to the loop: for each owned partition a task that takes records in and gives outputs, and never appends.
import type { OwningStage, TopicName } from '../../domain/flow.ts';
import type { RecordsOn } from '../../domain/messages-of.ts';
import type { Mark, OutgoingOn, Position, Positions } from '../../log/log.ts';
import type { CheckedLog } from './reading/checked-log.ts';
import type { Tolerate } from './reading/reading-trouble.ts';
import type { MalformedRecord } from './reading/unusable.ts';
import type { Alerts } from './reporting/alerts.ts';

/** What one append shall hold: outputs, and the positions that they bring the stage to. */
export interface Output<T extends TopicName = TopicName> {
  readonly records: readonly OutgoingOn<T>[];
  /** Only those that moved; the loop merges them into the mark. */
  readonly positions: Positions;
}

/** What the loop gives a task. */
export interface TaskContext {
  /** Gives only records that can be used as what their types say. */
  readonly log: CheckedLog;
  readonly partition: number;
  /** Where the last append left this partition. */
  readonly mark: Mark;
  /** Says that `take()` has something; cheap, may be called often, from anywhere. */
  ready(): void;
  /** Stops and restarts one input, for a task that has enough. */
  pause(topic: Position['topic'], partition: number): void;
  resume(topic: Position['topic'], partition: number): void;
  /** Ends the task for good: the loop recovers it from the mark, as after a crash. */
  fail(error: Error): void;
  /** The backstop around what is done with one record. */
  readonly tolerate: Tolerate;
  readonly alerts: Alerts;
}

/** One owned partition's work: what stands on `In` leads to what goes to `Out`. Every method but `stop` is called by the loop alone, one at a time. */
export interface StageTask<In extends TopicName = TopicName, Out extends TopicName = TopicName> {
  /** Where to read each input from, having restored from the log what the mark does not say. */
  readonly start: readonly Position<In>[];
  /** One page of one input, in order. What it leads to comes out of `take`, now or later. `next` is the offset after the page. */
  handle(records: RecordsOn<In>, next: number): Promise<void> | void;
  /**
   * A record that cannot be used, in its place among the others: it is passed over, with its offset, and who waits for what
   * would have come of it is told. The operator was told. `next` is the offset after it.
   */
  pass(malformed: MalformedRecord, next: number): Promise<void> | void;
  /** Everything that is ready for the log, at most `bytesMax` of records; undefined when nothing is. */
  take(bytesMax: number): Output<Out> | undefined;
  /** The log has the output, at these offsets: the time for effects that must not come earlier. */
  committed(output: Output<Out>, offsets: readonly number[]): void;
  /** Starts nothing new and waits up to `drainMs` for what runs, so that a last `take` holds it; then drops the rest. */
  stop(drainMs: number): Promise<void>;
}

/** A plain class: the loop opens one task for each owned partition, again after every failure. */
export abstract class Stage {
  abstract readonly name: OwningStage;
  abstract open(context: TaskContext): Promise<StageTask>;
  /** Ends what the stage shares between partitions. */
  abstract close(): Promise<void>;
}
