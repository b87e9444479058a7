// Runs one source alone in a process, which is never shared, so that its death does not incriminate other sources.
import type { Invocation, InvocationOutcome } from '../../../sandbox.ts';
import { lostOutcome } from '../lost-outcome.ts';

/** The part of a runner process that is used here. */
export interface QuarantinedRunner {
  readonly isDead: boolean;
  readonly hasStarted: boolean;
  /** Resolves when the process handles orders at once, or has died. */
  readonly started: Promise<void>;
  invoke(invocation: Invocation): Promise<InvocationOutcome>;
  unload(sourceId: string): void;
}

export interface QuarantinedDeath {
  /** Whether the death might have another cause than the component. */
  readonly isDoubtful: boolean;
}

/** How the invocation under way ends after a death. */
export type Verdict = 'crashed' | 'lost';

export interface OwnProcessOptions<R extends QuarantinedRunner> {
  readonly spawn: (onDeath: (death: QuarantinedDeath) => void) => R;
  readonly dismiss: (runner: R) => void;
  readonly judge: (ownProcess: OwnProcess<R>, runner: R, death: QuarantinedDeath) => Verdict;
}

interface QuarantinedProcess<R> {
  readonly runner: R;
  verdict: Verdict | undefined;
}

/** How long an idle process, which takes 60 MB, is kept for its source. */
const idleMs = 30_000;

const crashError = {
  name: 'CrashError',
  message:
    'The component ended the process that it ran in, where it was alone: it used too much memory at once, or a built-in function that cannot be interrupted. It is not run again for this event',
};

export class OwnProcess<R extends QuarantinedRunner> {
  readonly #options: OwnProcessOptions<R>;
  #process: QuarantinedProcess<R> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #sourceId: string | undefined;
  #caller: string | undefined;
  #occupiedAt = 0;
  #runningCount = 0;
  /** Whether an invocation of this source was stopped at a limit here, and might still be running. */
  #isDirty = false;

  constructor(options: OwnProcessOptions<R>) {
    this.#options = options;
  }

  /** The source of the process, also between invocations. */
  get sourceId(): string | undefined {
    return this.#sourceId;
  }

  /** Undefined while no invocation is under way. */
  get caller(): string | undefined {
    return this.#caller;
  }

  get occupiedMs(): number {
    return performance.now() - this.#occupiedAt;
  }

  get isAlive(): boolean {
    return this.#process?.runner.isDead === false;
  }

  get runningCount(): number {
    return this.#runningCount;
  }

  /** Runs an invocation, which can be concurrent with others of its source. `isCancelled`: it must no longer begin. */
  async run(invocation: Invocation, caller: string, isCancelled: () => boolean): Promise<InvocationOutcome> {
    if (this.#runningCount++ === 0) this.#acquire(invocation.sourceId, caller);
    const entry = this.#ensureProcess();
    await entry.runner.started;
    const outcome = isCancelled() ? lostOutcome(0) : await entry.runner.invoke(invocation);
    this.#isDirty ||= outcome.end === 'timed_out' || outcome.end === 'out_of_memory';
    if (--this.#runningCount === 0) this.#release();
    return outcome.end === 'lost' && entry.verdict === 'crashed'
      ? { ...outcome, end: 'crashed', error: crashError }
      : outcome;
  }

  dismiss(): void {
    clearTimeout(this.#idle);
    if (this.#process) this.#options.dismiss(this.#process.runner);
    this.#process = undefined;
    this.#sourceId = undefined;
  }

  #acquire(sourceId: string, caller: string): void {
    clearTimeout(this.#idle);
    if (this.#sourceId !== sourceId) this.dismiss();
    this.#sourceId = sourceId;
    this.#caller = caller;
    this.#occupiedAt = performance.now();
    this.#isDirty = false;
  }

  #ensureProcess(): QuarantinedProcess<R> {
    if (this.#process && !this.#process.runner.isDead) return this.#process;
    const { spawn, judge } = this.#options;
    const runner = spawn((death) => (entry.verdict = judge(this, runner, death)));
    const entry: QuarantinedProcess<R> = { runner, verdict: undefined };
    this.#process = entry;
    return entry;
  }

  /** Unloads the source, whose db will be out of date. Ends the process if stopped code might still run in it. */
  #release(): void {
    this.#caller = undefined;
    if (this.#isDirty) {
      this.dismiss();
      return;
    }
    if (this.#sourceId !== undefined) this.#process?.runner.unload(this.#sourceId);
    this.#idle = setTimeout(() => this.dismiss(), idleMs).unref();
  }
}
