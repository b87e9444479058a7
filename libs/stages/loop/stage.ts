// The interface of a stage: a task for each owned partition handles records and returns outputs for the loop to append.
import type { OwningStage, TopicName } from '../../domain/flow.ts';
import type { RecordsOn } from '../../domain/messages-of.ts';
import type { Mark, OutgoingOn, Position, Positions, Writer } from '../../log/log.ts';
import type { CheckedLog } from './reading/checked-log.ts';
import type { Tolerate } from './reading/alerting-reporter.ts';
import type { MalformedRecord } from './reading/unusable.ts';
import type { Alerts } from './alerts/alerts.ts';

/** The content of one append: outputs, and the positions that the stage reaches with them. */
export interface Output<T extends TopicName = TopicName> {
  readonly records: readonly OutgoingOn<T>[];
  /** Only the positions that moved; the loop merges them into the mark. */
  readonly positions: Positions;
}

/** What the loop passes to a task. */
export interface TaskContext {
  /** Returns only usable records. */
  readonly log: CheckedLog;
  readonly partition: number;
  /** The mark of this partition after the last append. */
  readonly mark: Mark;
  /** As `Writer.encodeAhead`. */
  readonly encodeAhead: Writer['encodeAhead'];
  /** Announces that `takeOutput()` has outputs. Cheap: call it as often as needed, from anywhere. */
  ready(): void;
  /** Pauses one input, for a task that has enough to do; `resume` restarts it. */
  pause(topic: Position['topic'], partition: number): void;
  resume(topic: Position['topic'], partition: number): void;
  /** Ends the task: the loop opens a new one from the mark, as after a crash. */
  fail(error: Error): void;
  /** Wraps the work on one record, so that an error in it does not stop the stage. */
  readonly tolerate: Tolerate;
  readonly alerts: Alerts;
}

/** Does the work of one owned partition. Only the loop calls these, one at a time; only `stop` can overlap another. */
export interface StageTask<In extends TopicName = TopicName, Out extends TopicName = TopicName> {
  /** The first offset to read of each input, after state that the mark does not hold was restored from the log. */
  readonly start: readonly Position<In>[];
  /** Handles a page of one input, in order. `takeOutput` returns its outputs, now or later. `next`: the offset after it. */
  handle(records: RecordsOn<In>, next: number): Promise<void> | void;
  /**
   * Skips a malformed record, in order with the others: moves past its offset and informs callers that wait for its
   * outcome; the operator was already informed. `next` is the offset after it.
   */
  skipMalformed(malformed: MalformedRecord, next: number): Promise<void> | void;
  /** Returns all outputs that are ready, at most `bytesMax` of records; undefined when there are none. */
  takeOutput(bytesMax: number): Output<Out> | undefined;
  /** Called when the log holds the output, at these offsets: for effects that must not come earlier. */
  onCommitted(output: Output<Out>, offsets: readonly number[]): void;
  /** Starts nothing new and waits up to `drainMs` for running work, for a last `takeOutput`; then drops the rest. */
  stop(drainMs: number): Promise<void>;
}

/** A plain class: the loop opens a task for each owned partition, and a new one after every failure. */
export abstract class Stage {
  abstract readonly name: OwningStage;
  /**
   * How long reading pauses, in milliseconds, after a turn that read everything: a stage that no caller waits for then
   * reads many records at each turn, which costs less than one by one.
   */
  readonly readPauseMs: number = 0;
  /** What stops its work in all partitions, as a sentence for health; undefined when nothing does. */
  get trouble(): string | undefined {
    return undefined;
  }
  abstract open(context: TaskContext): Promise<StageTask>;
  /** Closes the resources that the stage shares between partitions. */
  abstract close(): Promise<void>;
}
