// Checks regularly whether all topics of the log are still on Kafka, and reports to health and the process log if not.
import type { Logger } from 'pino';
import type { WatchedLoop } from '../../stages/loop/health.ts';

/** One request for metadata: rare enough to cost nothing, and sooner than a stalled loop is reported. */
const checkIntervalMs = 10_000;

interface TopicsOfLog {
  /**
   * Resolves with a readable text about missing topics; undefined if there are none. Rejects while Kafka is
   * unavailable.
   */
  deletedTopicsError(): Promise<string | undefined>;
}

export class TopicWatch implements WatchedLoop {
  readonly name = 'log';
  readonly idleMs = 0;
  readonly #log: TopicsOfLog;
  readonly #logger: Pick<Logger, 'error'>;
  readonly #timer: NodeJS.Timeout;
  /**
   * The result of the last check. A broker that has just started might not know every topic, so two checks must agree.
   */
  #lastResult: string | undefined;
  #trouble: string | undefined;

  constructor(log: TopicsOfLog, logger: Pick<Logger, 'error'>, intervalMs: number = checkIntervalMs) {
    this.#log = log;
    this.#logger = logger;
    this.#timer = setInterval(() => void this.#check(), intervalMs).unref();
  }

  get healthy(): boolean {
    return this.#trouble === undefined;
  }

  get trouble(): string | undefined {
    return this.#trouble;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
  }

  /** Checks the topics; keeps the previous result while Kafka is unavailable. */
  async #check(): Promise<void> {
    const missing = await this.#log.deletedTopicsError().catch(() => this.#trouble);
    const isCertain = missing === this.#lastResult;
    this.#lastResult = missing;
    if (!isCertain || missing === this.#trouble) return;
    this.#trouble = missing;
    if (missing !== undefined) this.#logger.error(missing);
  }
}
