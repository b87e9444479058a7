// Runs a stage's sessions in one owned partition: after a retryable failure a new session starts from the mark.
import { PortError } from '../../domain/port-error.ts';
import type { OutgoingOn, Position, Writer } from '../../log/log.ts';
import { Backoff } from '../../primitives/backoff.ts';
import { Sleeper } from '../../primitives/sleeper.ts';
import type { CheckedLog } from './reading/checked-log.ts';
import type { Tolerate } from './reading/alerting-reporter.ts';
import { StandstillError } from './reading/unusable.ts';
import { TaskSession } from './session.ts';
import type { OnHandled } from './session.ts';
import type { Stage } from './stage.ts';
import type { Alerts } from './alerts/alerts.ts';

/** The first wait between recoveries: short, since most faults pass quickly. */
const backoffFirstMs = 50;
/** The longest wait: after a long outage the stage continues within 2 s. */
export const backoffMaxMs = 2_000;

export const recoveryBackoff = (): Backoff => new Backoff(backoffFirstMs, backoffMaxMs);

/**
 * The wait before another try at what only people can repair, such as a record that is too new: compaction can remove
 * it.
 */
const standstillRetryMs = 60_000;

export interface PartitionLoopOptions {
  readonly stage: Stage;
  readonly log: CheckedLog;
  readonly partition: number;
  readonly onHandled: OnHandled;
  /** Called with the outputs that the log now holds. */
  readonly onAppended: (records: readonly OutgoingOn[]) => void;
  /** Called at each retryable failure, before the loop waits for `waitMs`. */
  readonly onRecovering: (error: PortError, waitMs: number) => void;
  /** Called when the loop stops until people repair what it met. */
  readonly onStandstill: (error: StandstillError) => void;
  readonly tolerate: Tolerate;
  readonly alerts: Alerts;
}

export class PartitionLoop {
  readonly #options: PartitionLoopOptions;
  readonly #sleeper = new Sleeper();
  #session: TaskSession | undefined;
  #drainMs = 0;
  #stopping = false;
  readonly #backoff = recoveryBackoff();
  #writer: Writer | undefined;
  #lastTurnAt = performance.now();
  /** The error that kept the stage from opening its task. */
  #standstill: StandstillError | undefined;
  #failure: PortError | undefined;

  constructor(options: PartitionLoopOptions) {
    this.#options = options;
  }

  /** Milliseconds since the loop last turned, or since the append in progress began, whichever is longer. */
  get idleMs(): number {
    return Math.max(performance.now() - this.#lastTurnAt, this.#session?.appendingMs ?? 0);
  }

  /** The next offset to read of each input; empty while the task is being opened. */
  get inputs(): readonly Position[] {
    return this.#session?.inputs ?? [];
  }

  /** The error that stops reading although the loop turns, such as a newer record; undefined when there is none. */
  get standstill(): StandstillError | undefined {
    return this.#standstill ?? this.#session?.newer;
  }

  /** The failure after which it retries; undefined once it has turned again. */
  get failure(): PortError | undefined {
    return this.#failure;
  }

  /** Resolves after `stop`. Rejects when recovery cannot help: a newer owner, damaged data, a broken invariant. */
  async run(): Promise<void> {
    try {
      while (!this.#stopping) await this.#runOnce();
    } finally {
      await this.#writer?.release();
    }
  }

  /** Stops reading, gives running work `drainMs` to end, and appends its outputs. */
  stop(drainMs: number): void {
    this.#stopping = true;
    this.#drainMs = drainMs;
    this.#session?.stop();
    this.#sleeper.wake();
  }

  async #runOnce(): Promise<void> {
    const { log, stage, partition } = this.#options;
    try {
      if (this.#writer === undefined) this.#writer = await log.own(stage.name, partition);
      else await this.#writer.recover();
      // `stop` might have been called in the meantime, when there was no session to stop.
      if (!this.#stopping) await this.#runSession(this.#writer);
    } catch (error) {
      if (error instanceof StandstillError) return this.#waitAtStandstill(error);
      if (!(error instanceof PortError && error.retryable)) throw error;
      await this.#backOff(error);
    }
  }

  async #runSession(writer: Writer): Promise<void> {
    const { stage, log, onHandled, onAppended, tolerate, alerts } = this.#options;
    this.#session = new TaskSession({
      stage,
      log,
      writer,
      onHandled,
      tolerate,
      alerts,
      onTurn: () => {
        this.#lastTurnAt = performance.now();
        this.#failure = undefined;
      },
      onAppended: (records) => {
        this.#backoff.reset();
        onAppended(records);
      },
    });
    try {
      await this.#session.run(() => this.#drainMs);
    } finally {
      this.#session = undefined;
    }
  }

  async #backOff(error: PortError): Promise<void> {
    const waitMs = this.#backoff.next();
    this.#failure = error;
    this.#options.onRecovering(error, waitMs);
    if (!this.#stopping) await this.#sleeper.sleep(waitMs);
  }

  /** Waits before the next try. This loses nothing, because the mark does not move. */
  async #waitAtStandstill(error: StandstillError): Promise<void> {
    this.#standstill = error;
    this.#options.onStandstill(error);
    if (!this.#stopping) await this.#sleeper.sleep(standstillRetryMs);
    this.#standstill = undefined;
  }
}
