// Checks that the log answers while a request waits for one of its records, so that an outage of the log ends the wait
// early.
import { PortError } from '../../../domain/port-error.ts';
import type { Log } from '../../../log/log.ts';
import { withinOr } from '../../../primitives/time-limit.ts';

/** How long a wait lasts before the first check: most end sooner. */
const firstCheckMs = 1_000;
/** The time between checks. */
const checkIntervalMs = 1_000;
/** A healthy log answers in milliseconds. With the append's own limit of 5 s a request stays below 10 s. */
const answerMaxMs = 3_000;

export class LogWatch {
  readonly #log: Pick<Log, 'end'>;
  #runningCheck: Promise<boolean> | undefined;

  constructor(log: Pick<Log, 'end'>) {
    this.#log = log;
  }

  /** Resolves like `work`; with undefined if the log has failed meanwhile. Rejects like `work`. */
  async whileLogAnswers<T>(work: Promise<T>): Promise<T | undefined> {
    const settled = work.then(
      () => true,
      () => true,
    );
    for (let waitMs = firstCheckMs; ; waitMs = checkIntervalMs) {
      if (await withinOr(settled, waitMs, false)) return work;
      if (!(await this.#isAnswering())) return undefined;
    }
  }

  /** All waiting requests share one check. */
  #isAnswering(): Promise<boolean> {
    this.#runningCheck ??= withinOr(this.#probe(), answerMaxMs, false).finally(() => (this.#runningCheck = undefined));
    return this.#runningCheck;
  }

  async #probe(): Promise<boolean> {
    try {
      await this.#log.end('commands', 0);
      return true;
    } catch (error) {
      if (error instanceof PortError) return false;
      throw error;
    }
  }
}
