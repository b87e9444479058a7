// A stage as the loop sees it: a task for each owned partition takes records and gives outputs, which the loop appends.
import type { OwningStage, TopicName } from '../../domain/flow.ts';
import type { RecordsOn } from '../../domain/messages-of.ts';
import type { Mark, OutgoingOn, Position, Positions, Writer } from '../../log/log.ts';
import type { CheckedLog } from './reading/checked-log.ts';
import type { Tolerate } from './reading/reading-trouble.ts';
import type { MalformedRecord } from './reading/unusable.ts';
import type { Alerts } from './alerts/alerts.ts';

/** The content of one append: outputs, and the positions that the stage reaches with them. */
export interface Output<T extends TopicName = TopicName> {
  readonly records: readonly OutgoingOn<T>[];
  /** Only those that moved; the loop merges them into the mark. */
  readonly positions: Positions;
}

/** What the loop gives a task. */
export interface TaskContext {
  /** Gives only usable records. */
  readonly log: CheckedLog;
  readonly partition: number;
  /** Where the last append left this partition. */
  readonly mark: Mark;
  /** As `Writer.encodeAhead`. */
  readonly encodeAhead: Writer['encodeAhead'];
  /** Says that `take()` has something. Cheap: call it as often as needed, from anywhere. */
  ready(): void;
  /** Pauses one input, for a task that has enough to do; `resume` restarts it. */
  pause(topic: Position['topic'], partition: number): void;
  resume(topic: Position['topic'], partition: number): void;
  /** Ends the task for good: the loop recovers it from the mark, as after a crash. */
  fail(error: Error): void;
  /** The backstop around the work on one record. */
  readonly tolerate: Tolerate;
  readonly alerts: Alerts;
}

/** The work of one owned partition. The loop alone calls these, one at a time; only `stop` may overlap another. */
export interface StageTask<In extends TopicName = TopicName, Out extends TopicName = TopicName> {
  /** Where to read each input from, once state that the mark does not hold is restored from the log. */
  readonly start: readonly Position<In>[];
  /** One page of one input, in order. Its outputs come from `take`, now or later. `next`: the offset after the page. */
  handle(records: RecordsOn<In>, next: number): Promise<void> | void;
  /**
   * A malformed record, in its place among the others. The task moves past its offset and tells whoever waits for its
   * outcome; the operator has been told. `next` is the offset after it.
   */
  pass(malformed: MalformedRecord, next: number): Promise<void> | void;
  /** All outputs that are ready, at most `bytesMax` of records; undefined when there are none. */
  take(bytesMax: number): Output<Out> | undefined;
  /** The log holds the output at these offsets: the time for effects that must not come earlier. */
  committed(output: Output<Out>, offsets: readonly number[]): void;
  /** Starts nothing new and waits up to `drainMs` for running work, for a last `take` to give; then drops the rest. */
  stop(drainMs: number): Promise<void>;
}

/** A plain class: the loop opens a task for each owned partition, and a new one after every failure. */
export abstract class Stage {
  abstract readonly name: OwningStage;
  /**
   * How long reading rests, in milliseconds, after a turn that read all there was: a stage that nobody waits for then
   * reads many records at each turn, which costs less than one by one.
   */
  readonly restMs: number = 0;
  /** What keeps it from its work in all partitions, as a sentence; undefined: nothing does. Health tells it. */
  get trouble(): string | undefined {
    return undefined;
  }
  abstract open(context: TaskContext): Promise<StageTask>;
  /** Closes what the stage shares between partitions. */
  abstract close(): Promise<void>;
}
