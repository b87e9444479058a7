// Whether the log answers, for who waits for what only the log can bring: nobody waits long for a log that is away.
import { PortError } from '../../../domain/port-error.ts';
import type { Log } from '../../../log/log.ts';
import { withinOr } from '../../../primitives/time-limit.ts';

/** Most of what is waited for comes sooner, and costs no question. */
const firstMs = 1_000;
/** Between questions. */
const everyMs = 1_000;
/** A log that is there answers in milliseconds. With the append's own limit of 5 s a request stays below 10 s. */
const answerMaxMs = 3_000;

export class LogWatch {
  readonly #log: Pick<Log, 'end'>;
  #asking: Promise<boolean> | undefined;

  constructor(log: Pick<Log, 'end'>) {
    this.#log = log;
  }

  /** What `work` resolves with; undefined when the log has gone away meanwhile. Rejects as `work` does. */
  async whileAnswering<T>(work: Promise<T>): Promise<T | undefined> {
    const settled = work.then(
      () => true,
      () => true,
    );
    for (let waitMs = firstMs; ; waitMs = everyMs) {
      if (await withinOr(settled, waitMs, false)) return work;
      if (!(await this.#answers())) return undefined;
    }
  }

  /** All who wait share one question. */
  #answers(): Promise<boolean> {
    this.#asking ??= withinOr(this.#ask(), answerMaxMs, false).finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #ask(): Promise<boolean> {
    try {
      await this.#log.end('commands', 0);
      return true;
    } catch (error) {
      if (error instanceof PortError) return false;
      throw error;
    }
  }
}
