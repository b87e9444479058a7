// Runs sources that might have killed a process, each in a process of its own, until it has ended cleanly often enough.
import { isLate } from '../../../sandbox.ts';
import type { Invocation, InvocationOutcome } from '../../../sandbox.ts';
import { lostOutcome } from '../lost-outcome.ts';
import { OwnProcess } from './own-process.ts';
import type { OwnProcessOptions, QuarantinedDeath, QuarantinedRunner, Verdict } from './own-process.ts';
import { CrashRecords } from './crash-records.ts';
import { QuarantineQueue, callerOf } from './quarantine-queue.ts';

/** Processes in addition to the shared ones, used only for suspects; each can take as much memory as a shared one. */
const processesMax = 4;
/**
 * Processes reserved for sources without a crash or a stop on record, of all and of each caller's: these sources
 * wait only for each other.
 */
const reservedProcesses = 1;
/** Processes that one caller can have at once, so that a caller with many sources leaves half to the others. */
const callerProcessesMax = 2;
/** Waiting invocations; further ones are lost, and repeated. The runtime's slots allow a tenth of this at most. */
const queuedMax = 1_000;
/** How long invocations can join others in the source's process, as a hook might wait for a run of its source. */
const joinMaxMs = 300_000;
/** Kills of a source's process from outside, in a row, before the source counts as their cause. */
const doubtfulDeathsMax = 2;

export class Quarantine<R extends QuarantinedRunner> {
  readonly #crashes: CrashRecords;
  readonly #queue = new QuarantineQueue();
  readonly #processes: readonly OwnProcess<R>[];
  /** How many invocations of each source wait or run here, because a source's db is in one process at a time. */
  readonly #invocationCounts = new Map<string, number>();
  /** Invocations that can still begin, because their source was not unloaded since they were added. */
  readonly #startable = new Set<Invocation>();
  #closed = false;

  constructor(options: Omit<OwnProcessOptions<R>, 'judge'>, records = new CrashRecords()) {
    this.#crashes = records;
    const judge: OwnProcessOptions<R>['judge'] = (ownProcess, runner, death) => this.#judge(ownProcess, runner, death);
    this.#processes = Array.from({ length: processesMax }, () => new OwnProcess({ ...options, judge }));
  }

  /** Whether the source is suspected, or still has invocations here. */
  isQuarantined(sourceId: string): boolean {
    return this.#invocationCounts.has(sourceId) || this.#crashes.suspicionOf(sourceId) !== 'free';
  }

  suspect(sources: Iterable<string>): void {
    for (const sourceId of sources) this.#crashes.recordSuspicion(sourceId);
  }

  /** Always resolves; with `crashed` if the process died while the invocation was alone in it. */
  async invoke(invocation: Invocation): Promise<InvocationOutcome> {
    if (this.#closed || this.#queue.size >= queuedMax) return lostOutcome(0);
    const { sourceId } = invocation;
    this.#invocationCounts.set(sourceId, (this.#invocationCounts.get(sourceId) ?? 0) + 1);
    this.#startable.add(invocation);
    const { promise, resolve } = Promise.withResolvers<InvocationOutcome>();
    this.#queue.add({ invocation, resolve });
    this.#dispatch();
    const outcome = await promise;
    this.#startable.delete(invocation);
    const remaining = (this.#invocationCounts.get(sourceId) ?? 1) - 1;
    if (remaining === 0) this.#invocationCounts.delete(sourceId);
    else this.#invocationCounts.set(sourceId, remaining);
    return outcome;
  }

  /** Loses the waiting invocations; running ones are ended by their process. */
  unload(sourceId: string): void {
    for (const invocation of this.#startable) if (invocation.sourceId === sourceId) this.#startable.delete(invocation);
    for (const { resolve } of this.#queue.remove(sourceId)) resolve(lostOutcome(0));
  }

  /** Loses the waiting invocations; no others begin any more. */
  close(): void {
    this.#closed = true;
    for (const { resolve } of this.#queue.remove()) resolve(lostOutcome(0));
    for (const ownProcess of this.#processes) ownProcess.dismiss();
  }

  #dispatch(): void {
    for (;;) {
      const queued = this.#queue.takeNext((invocation) => this.#rank(invocation));
      const ownProcess = queued && this.#processFor(queued.invocation);
      if (!ownProcess) return;
      void this.#run(ownProcess, queued.invocation).then(queued.resolve);
    }
  }

  async #run(ownProcess: OwnProcess<R>, invocation: Invocation): Promise<InvocationOutcome> {
    const isCancelled = (): boolean => !this.#startable.has(invocation) || isLate(invocation);
    const outcome = await ownProcess.run(invocation, callerOf(invocation), isCancelled);
    const { sourceId } = invocation;
    if (outcome.end === 'timed_out' || outcome.end === 'out_of_memory') this.#crashes.recordStop(sourceId);
    else if (ownProcess.isAlive && outcome.end !== 'lost' && outcome.end !== 'crashed')
      this.#crashes.recordCleanEnd(sourceId);
    this.#dispatch();
    return outcome;
  }

  /** 0 for sources without a crash or a stop, which go first, 1 for others; undefined: cannot begin now. */
  #rank(invocation: Invocation): number | undefined {
    if (!this.#processFor(invocation)) return undefined;
    return this.#isRisky(invocation.sourceId) ? 1 : 0;
  }

  /** Whether the source killed a process, or was stopped at a limit, which its next run might take as long to reach. */
  #isRisky(sourceId: string | undefined): boolean {
    const suspicion = this.#crashes.suspicionOf(sourceId ?? '');
    return suspicion === 'culprit' || suspicion === 'stopped';
  }

  #processFor(invocation: Invocation): OwnProcess<R> | undefined {
    const { sourceId } = invocation;
    const isCulprit = this.#crashes.suspicionOf(sourceId) === 'culprit';
    const busy = this.#processes.filter(({ runningCount }) => runningCount > 0);
    const ownBusy = busy.find((ownProcess) => ownProcess.sourceId === sourceId);
    if (ownBusy) return !isCulprit && ownBusy.occupiedMs < joinMaxMs ? ownBusy : undefined;
    const sameCaller = busy.filter(({ caller }) => caller === callerOf(invocation));
    if (sameCaller.length >= callerProcessesMax) return undefined;
    if (this.#isRisky(sourceId)) {
      const countRisky = (processes: readonly OwnProcess<R>[]) =>
        processes.filter((process) => this.#isRisky(process.sourceId)).length;
      if (countRisky(busy) >= processesMax - reservedProcesses) return undefined;
      if (countRisky(sameCaller) >= callerProcessesMax - reservedProcesses) return undefined;
    }
    const idle = this.#processes.filter(({ runningCount }) => runningCount === 0);
    return (
      idle.find((ownProcess) => ownProcess.sourceId === sourceId) ??
      idle.find((ownProcess) => ownProcess.sourceId === undefined) ??
      idle[0]
    );
  }

  #judge({ sourceId, runningCount }: OwnProcess<R>, runner: R, { isDoubtful }: QuarantinedDeath): Verdict {
    if (!runner.hasStarted || sourceId === undefined) return 'lost';
    if (isDoubtful && (runningCount === 0 || this.#crashes.recordDoubtfulDeath(sourceId) <= doubtfulDeathsMax))
      return 'lost';
    this.#crashes.recordCrash(sourceId);
    // With several under way the cause is unknown: each is repeated alone, as all invocations of a culprit are.
    return runningCount <= 1 ? 'crashed' : 'lost';
  }
}
