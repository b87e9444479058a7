// Starts all runner processes of the product, checks them regularly, and ends them together.
import type { RunnerConfig } from '../runner-protocol.ts';
import { Runner } from './runner.ts';
import type { RunnerDeath } from './runner.ts';

/** `yields`: whether the process runs at low priority, after all other processes of the machine. */
export type SpawnRunner = (onDeath: (death: RunnerDeath) => void, yields?: boolean) => Runner;

const checkMs = 250;
/** Processes in a row that died before they had started: no longer chance, and not a component's fault. */
const failedStartsMax = 5;

const noProcessStarts = 'No process starts in which components could run';

export class Runners {
  readonly #alive = new Set<Runner>();
  readonly #config: RunnerConfig;
  readonly #onTrouble: (what: string) => void;
  readonly #checkTimer: NodeJS.Timeout;
  #checkedAt = performance.now();
  #closed = false;
  /** Failed starts since the last successful one. */
  #failedStarts = 0;
  #trouble: string | undefined;

  constructor(config: RunnerConfig, onTrouble: (what: string) => void) {
    this.#config = config;
    this.#onTrouble = onTrouble;
    this.#checkTimer = setInterval(() => this.#check(), checkMs);
  }

  get processIds(): readonly number[] {
    return [...this.#alive].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /**
   * A sentence that says that no process starts; undefined: they start, or it is not known yet. It is public, so it
   * does not repeat a process's output, which names files of the machine.
   */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** `onDeath` is called at most once, and not if the product ends the process. */
  readonly spawn: SpawnRunner = (onDeath, yields = false) => {
    const runner: Runner = new Runner({ ...this.#config, yields }, (death) => {
      if (!this.#alive.delete(runner) || this.#closed) return;
      const sources = [...death.sources].join(', ') || 'no source';
      const culprit = death.culprit === undefined ? '' : `, because of ${death.culprit}`;
      this.#onTrouble(`A runner process died under ${sources}${culprit}: ${death.reason}`);
      if (!runner.hasStarted) this.#recordFailedStart(death.reason);
      onDeath(death);
    });
    this.#alive.add(runner);
    void runner.started.then(() => {
      if (runner.hasStarted) this.#recordStart();
    });
    return runner;
  };

  /** Ends a process that is no longer needed, where nothing is under way; its death is not reported. */
  readonly dismiss = (runner: Runner): void => {
    this.#alive.delete(runner);
    runner.kill('it is not needed');
  };

  unload(sourceId: string): void {
    for (const runner of this.#alive) runner.unload(sourceId);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#checkTimer);
    for (const runner of this.#alive) runner.kill('the product closes it');
  }

  #recordFailedStart(reason: string): void {
    if (++this.#failedStarts < failedStartsMax) return;
    const wasReported = this.#trouble !== undefined;
    this.#trouble = `${noProcessStarts}; the log says why`;
    if (!wasReported) this.#onTrouble(`${noProcessStarts}: ${reason}`);
  }

  #recordStart(): void {
    this.#failedStarts = 0;
    this.#trouble = undefined;
  }

  #check(): void {
    const now = performance.now();
    const stalledMs = Math.max(0, now - this.#checkedAt - checkMs);
    this.#checkedAt = now;
    for (const runner of this.#alive) runner.check(stalledMs);
  }
}
