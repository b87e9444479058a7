// Owns one partition for a stage and keeps a session going in it: every failure that may pass is a recovery from the mark.
import { PortError } from '../../domain/port-error.ts';
import type { OutgoingOn, Writer } from '../../log/log.ts';
import { Backoff } from '../../primitives/backoff.ts';
import { Sleeper } from '../../primitives/sleeper.ts';
import type { CheckedLog } from './reading/checked-log.ts';
import type { Tolerate } from './reading/reading-trouble.ts';
import { NewerRecordError } from './reading/unusable.ts';
import { Session } from './session.ts';
import type { Handled } from './session.ts';
import type { Stage } from './stage.ts';
import type { Alerts } from './reporting/alerts.ts';

/** Of waits between recoveries: quick for a passing fault. */
const backoffFirstMs = 50;
/** A long outage ends within 2 s of its end. */
export const backoffMaxMs = 2_000;

export const recoveryBackoff = (): Backoff => new Backoff(backoffFirstMs, backoffMaxMs);

/** A record that is too new stays so until another program is started; compaction may take it away. */
const newerRetryMs = 60_000;

export interface PartitionLoopOptions {
  readonly stage: Stage;
  readonly log: CheckedLog;
  readonly partition: number;
  readonly handled: Handled;
  /** What the log has now of this stage. */
  readonly appended: (records: readonly OutgoingOn[]) => void;
  /** A failure that will be recovered from. */
  readonly recovering: (error: PortError, waitMs: number) => void;
  readonly tolerate: Tolerate;
  readonly alerts: Alerts;
}

export class PartitionLoop {
  readonly #options: PartitionLoopOptions;
  readonly #sleeper = new Sleeper();
  #session: Session | undefined;
  #drainMs = 0;
  #stopping = false;
  readonly #backoff = recoveryBackoff();
  #writer: Writer | undefined;
  #movedAt = performance.now();
  /** Why the stage could not even begin. */
  #newer: NewerRecordError | undefined;

  constructor(options: PartitionLoopOptions) {
    this.#options = options;
  }

  /** Milliseconds since the loop last turned, or since the append that it waits for began. */
  get idleMs(): number {
    return Math.max(performance.now() - this.#movedAt, this.#session?.appendingMs ?? 0);
  }

  /** Why it does not read on although it turns; undefined: it does. */
  get newer(): NewerRecordError | undefined {
    return this.#newer ?? this.#session?.newer;
  }

  /** Resolves after `stop`; rejects with what recovery cannot help: a newer owner, damaged data, a broken invariant. */
  async run(): Promise<void> {
    try {
      while (!this.#stopping) await this.#turn();
    } finally {
      await this.#writer?.release();
    }
  }

  /** Ends reading, gives what runs `drainMs` to end, and appends it. */
  stop(drainMs: number): void {
    this.#stopping = true;
    this.#drainMs = drainMs;
    this.#session?.stop();
    this.#sleeper.wake();
  }

  async #turn(): Promise<void> {
    const { log, stage, partition } = this.#options;
    try {
      if (this.#writer === undefined) this.#writer = await log.own(stage.name, partition);
      else await this.#writer.recover();
      // It may have been told to stop meanwhile, with no session there to hear of it.
      if (!this.#stopping) await this.#runSession(this.#writer);
    } catch (error) {
      if (error instanceof NewerRecordError) return this.#rest(error);
      if (!(error instanceof PortError && error.retryable)) throw error;
      await this.#backOff(error);
    }
  }

  async #runSession(writer: Writer): Promise<void> {
    const { stage, log, handled, appended, tolerate, alerts } = this.#options;
    this.#session = new Session({
      stage,
      log,
      writer,
      handled,
      tolerate,
      alerts,
      moved: () => (this.#movedAt = performance.now()),
      appended: (records) => {
        this.#backoff.reset();
        appended(records);
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
    this.#options.recovering(error, waitMs);
    if (!this.#stopping) await this.#sleeper.sleep(waitMs);
  }

  /** Nothing is lost by waiting: the mark stands where it stood. */
  async #rest(error: NewerRecordError): Promise<void> {
    this.#newer = error;
    if (!this.#stopping) await this.#sleeper.sleep(newerRetryMs);
    this.#newer = undefined;
  }
}
