// Runs one task of a stage in an owned partition, from the mark until the task is stopped or fails.
import { sizes } from '../../domain/sizes.ts';
import type { StoredRecord } from '../../domain/message.ts';
import type { OutgoingOn, Position, Positions, Writer } from '../../log/log.ts';
import { afterInput } from '../../primitives/event-loop/turn.ts';
import { Sleeper } from '../../primitives/sleeper.ts';
import type { CheckedLog } from './reading/checked-log.ts';
import type { CheckedTail } from './reading/checked-tail.ts';
import { handleInOrder } from './reading/handle-in-order.ts';
import type { Tolerate } from './reading/alerting-reporter.ts';
import type { CheckedPageOn, NewerRecordError } from './reading/unusable.ts';
import type { Stage, StageTask, TaskContext } from './stage.ts';
import type { Alerts } from './alerts/alerts.ts';

/** One page for a task: small enough that outputs are taken often, large enough for them to share an append. */
const pageBounds = { recordsMax: 512, bytesMax: 1024 * 1024 };
/** How long a quiet tail waits before the loop turns: far below the 30 s after which health turns red. */
const tailWaitMs = 1_000;
/** After an append of more records, waiting requests go first: counting and reading so many takes milliseconds. */
const followUpAtOnceMax = 1_000;
/** Room for the mark record next to the outputs of one append. */
const markBytesMax = 64 * 1024;

/** Called with each page that a task has handled. */
export type OnHandled = (records: readonly StoredRecord[], durationMs: number) => void;

export interface SessionOptions {
  readonly stage: Stage;
  readonly log: CheckedLog;
  readonly writer: Writer;
  readonly onHandled: OnHandled;
  /** Called at every turn of reading. */
  readonly onTurn: () => void;
  /** Called when the log has stored an output. */
  readonly onAppended: (records: readonly OutgoingOn[]) => void;
  readonly tolerate: Tolerate;
  readonly alerts: Alerts;
}

export class TaskSession {
  readonly #options: SessionOptions;
  readonly #failure = Promise.withResolvers<never>();
  readonly #sleeper = new Sleeper();
  #positions: Positions;
  /** The next offset to read of each input. */
  #inputs: readonly { -readonly [Name in keyof Position]: Position[Name] }[] = [];
  #task: StageTask | undefined;
  #tail: CheckedTail | undefined;
  #handling: Promise<void> | undefined;
  #appending: Promise<void> | undefined;
  #scheduled = false;
  #stopping = false;
  #appendingSince: number | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#positions = options.writer.mark.positions;
    this.#failure.promise.catch(() => {});
  }

  /** Resolves after `stop`, with all drained outputs on the log. Rejects with a failure, after the task has ended. */
  async run(drainMs: () => number): Promise<void> {
    const task = await this.#options.stage.open(this.#context());
    this.#task = task;
    this.#inputs = task.start.map((position) => ({ ...position }));
    try {
      this.#tail = this.#options.log.tail(task.start, pageBounds, 'every input');
      this.#schedule();
      await Promise.race([this.#read(task), this.#failure.promise]);
      await Promise.race([this.#drain(task, drainMs()), this.#failure.promise]);
    } catch (error) {
      this.#stopping = true;
      this.#sleeper.wake();
      this.#task = undefined;
      await task.stop(0);
      throw error;
    } finally {
      await this.#tail?.close();
    }
  }

  /** How long the append in progress has taken so far; 0 when there is none. */
  get appendingMs(): number {
    return this.#appendingSince === undefined ? 0 : performance.now() - this.#appendingSince;
  }

  /** The next offset to read of each input. */
  get inputs(): readonly Position[] {
    return this.#inputs;
  }

  /** The newer record at which reading stopped; work on the records before it continues. */
  get newer(): NewerRecordError | undefined {
    return this.#tail?.newer;
  }

  /** Stops reading; `run` then drains what was read. */
  stop(): void {
    this.#stopping = true;
    this.#sleeper.wake();
    void this.#tail?.close();
  }

  #context(): TaskContext {
    const { log, writer, tolerate, alerts } = this.#options;
    return {
      log,
      tolerate,
      alerts,
      partition: writer.partition,
      mark: writer.mark,
      encodeAhead: (records) => writer.encodeAhead(records),
      ready: () => this.#schedule(),
      pause: (topic, partition) => this.#tail?.pause(topic, partition),
      resume: (topic, partition) => this.#tail?.resume(topic, partition),
      fail: (error) => this.#failure.reject(error),
    };
  }

  async #read(task: StageTask): Promise<void> {
    const tail = this.#tail;
    const { readPauseMs } = this.#options.stage;
    while (!this.#stopping && tail !== undefined) {
      this.#options.onTurn();
      let count = 0;
      let more = false;
      for (const page of await tail.next(tailWaitMs)) {
        count += page.records.length;
        more ||= page.more === true;
        // A failed task gets no more pages: the next one reads them again, from the mark.
        if (this.#task === task) await this.#handle(task, page);
      }
      if (readPauseMs > 0 && count > 0 && !more && !this.#stopping) await this.#sleeper.sleep(readPauseMs);
    }
  }

  async #handle(task: StageTask, page: CheckedPageOn): Promise<void> {
    const startedAt = performance.now();
    const handling = page.malformed.length === 0 ? task.handle(page.records, page.next) : handleInOrder(page, task);
    if (handling !== undefined) {
      this.#handling = handling;
      await handling;
      this.#handling = undefined;
    }
    const input = this.#inputs.find(({ topic, partition }) => topic === page.topic && partition === page.partition);
    if (input !== undefined) input.offset = page.next;
    this.#options.onHandled(page.records, performance.now() - startedAt);
    this.#schedule();
  }

  async #drain(task: StageTask, drainMs: number): Promise<void> {
    await task.stop(drainMs);
    await this.#appending;
    await this.#appendOutputs(task);
  }

  /** Waits for the end of this turn of the event loop, so that outputs ready together share an append. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const task = this.#task;
      if (task === undefined || this.#appending !== undefined) return;
      this.#appending = this.#appendOutputs(task)
        .catch((error: unknown) => this.#failure.reject(error))
        .finally(() => (this.#appending = undefined));
    });
  }

  async #appendOutputs(task: StageTask): Promise<void> {
    for (;;) {
      await this.#handling;
      if (this.#task !== task) return;
      const output = task.takeOutput(sizes.appendBytes - markBytesMax);
      if (output === undefined) return;
      this.#positions = { ...this.#positions, ...output.positions };
      this.#appendingSince = performance.now();
      const offsets = await this.#options.writer.append(output.records, this.#positions);
      this.#appendingSince = undefined;
      if (output.records.length > followUpAtOnceMax) await afterInput();
      this.#options.onAppended(output.records);
      if (this.#task === task) task.onCommitted(output, offsets);
    }
  }
}
