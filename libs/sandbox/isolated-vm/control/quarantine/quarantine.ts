// Runs sources that might have killed a process, each in a process of its own, until it has ended cleanly often enough.
import { isLate } from '../../../sandbox.ts';
import type { Invocation, InvocationOutcome } from '../../../sandbox.ts';
import { lostOutcome } from '../outcome.ts';
import { OwnProcess } from './own-process.ts';
import type { OwnProcessOptions, QuarantinedDeath, QuarantinedRunner, Verdict } from './own-process.ts';
import { CrashRecords } from './crash-records.ts';
import { QuarantineQueue, callerOf } from './quarantine-queue.ts';

/** Processes in addition to the shared ones, used only for suspects; each can take as much memory as a shared one. */
const placesMax = 4;
/**
 * Places reserved for sources without a crash or a stop on record, of all places and of each caller's: these sources
 * wait only for each other.
 */
const reservedPlaces = 1;
/** Places that one caller can have at once, so that a caller with many sources leaves half to the others. */
const callerPlacesMax = 2;
/** Waiting invocations; further ones are lost, and repeated. The runtime's slots allow a tenth of this at most. */
const waitingMax = 1_000;
/** How long invocations can join others in the source's process, as a hook might wait for a run of its source. */
const joinMaxMs = 300_000;
/** Kills of a source's process from outside, in a row, before the source counts as their cause. */
const doubtsMax = 2;

export class Quarantine<R extends QuarantinedRunner> {
  readonly #crashes: CrashRecords;
  readonly #waiting = new QuarantineQueue();
  readonly #places: readonly OwnProcess<R>[];
  /** How many invocations of each source wait or run here, because a source's db is in one process at a time. */
  readonly #inside = new Map<string, number>();
  /** Invocations that can still begin, because their source was not unloaded since they were added. */
  readonly #wanted = new Set<Invocation>();
  #closed = false;

  constructor(options: Omit<OwnProcessOptions<R>, 'judge'>, records = new CrashRecords()) {
    this.#crashes = records;
    const judge: OwnProcessOptions<R>['judge'] = (place, runner, death) => this.#judge(place, runner, death);
    this.#places = Array.from({ length: placesMax }, () => new OwnProcess({ ...options, judge }));
  }

  /** Whether the source is suspected, or still has invocations here. */
  holds(sourceId: string): boolean {
    return this.#inside.has(sourceId) || this.#crashes.of(sourceId) !== 'free';
  }

  suspect(sources: Iterable<string>): void {
    for (const sourceId of sources) this.#crashes.suspect(sourceId);
  }

  /** Always resolves; with `crashed` if the process died while the invocation was alone in it. */
  async invoke(invocation: Invocation): Promise<InvocationOutcome> {
    if (this.#closed || this.#waiting.size >= waitingMax) return lostOutcome(0);
    const { sourceId } = invocation;
    this.#inside.set(sourceId, (this.#inside.get(sourceId) ?? 0) + 1);
    this.#wanted.add(invocation);
    const { promise, resolve } = Promise.withResolvers<InvocationOutcome>();
    this.#waiting.add({ invocation, resolve });
    this.#advance();
    const outcome = await promise;
    this.#wanted.delete(invocation);
    const others = (this.#inside.get(sourceId) ?? 1) - 1;
    if (others === 0) this.#inside.delete(sourceId);
    else this.#inside.set(sourceId, others);
    return outcome;
  }

  /** Loses the waiting invocations; running ones are ended by their process. */
  unload(sourceId: string): void {
    for (const invocation of this.#wanted) if (invocation.sourceId === sourceId) this.#wanted.delete(invocation);
    for (const { resolve } of this.#waiting.remove(sourceId)) resolve(lostOutcome(0));
  }

  /** Loses the waiting invocations; no others begin any more. */
  close(): void {
    this.#closed = true;
    for (const { resolve } of this.#waiting.remove()) resolve(lostOutcome(0));
    for (const place of this.#places) place.dismiss();
  }

  #advance(): void {
    for (;;) {
      const next = this.#waiting.take((invocation) => this.#rank(invocation));
      const place = next && this.#placeFor(next.invocation);
      if (!place) return;
      void this.#run(place, next.invocation).then(next.resolve);
    }
  }

  async #run(place: OwnProcess<R>, invocation: Invocation): Promise<InvocationOutcome> {
    const isGone = (): boolean => !this.#wanted.has(invocation) || isLate(invocation);
    const outcome = await place.run(invocation, callerOf(invocation), isGone);
    const { sourceId } = invocation;
    if (outcome.end === 'timed_out' || outcome.end === 'out_of_memory') this.#crashes.stop(sourceId);
    else if (place.isAlive && outcome.end !== 'lost' && outcome.end !== 'crashed') this.#crashes.clear(sourceId);
    this.#advance();
    return outcome;
  }

  /** 0 for sources without a crash or a stop, which go first, 1 for others; undefined: cannot begin now. */
  #rank(invocation: Invocation): number | undefined {
    if (!this.#placeFor(invocation)) return undefined;
    return this.#isTrouble(invocation.sourceId) ? 1 : 0;
  }

  /** Whether the source killed a process, or was stopped at a limit, which its next run might take as long to reach. */
  #isTrouble(sourceId: string | undefined): boolean {
    const suspicion = this.#crashes.of(sourceId ?? '');
    return suspicion === 'culprit' || suspicion === 'stopped';
  }

  #placeFor(invocation: Invocation): OwnProcess<R> | undefined {
    const { sourceId } = invocation;
    const isCulprit = this.#crashes.of(sourceId) === 'culprit';
    const taken = this.#places.filter(({ underWay }) => underWay > 0);
    const own = taken.find((place) => place.sourceId === sourceId);
    if (own) return !isCulprit && own.stayMs < joinMaxMs ? own : undefined;
    const sameCaller = taken.filter(({ caller }) => caller === callerOf(invocation));
    if (sameCaller.length >= callerPlacesMax) return undefined;
    if (this.#isTrouble(sourceId)) {
      const troubleIn = (places: readonly OwnProcess<R>[]) =>
        places.filter((at) => this.#isTrouble(at.sourceId)).length;
      if (troubleIn(taken) >= placesMax - reservedPlaces) return undefined;
      if (troubleIn(sameCaller) >= callerPlacesMax - reservedPlaces) return undefined;
    }
    const free = this.#places.filter(({ underWay }) => underWay === 0);
    return (
      free.find((place) => place.sourceId === sourceId) ?? free.find((place) => place.sourceId === undefined) ?? free[0]
    );
  }

  #judge({ sourceId, underWay }: OwnProcess<R>, runner: R, { isDoubtful }: QuarantinedDeath): Verdict {
    if (!runner.hasStarted || sourceId === undefined) return 'lost';
    if (isDoubtful && (underWay === 0 || this.#crashes.doubt(sourceId) <= doubtsMax)) return 'lost';
    this.#crashes.convict(sourceId);
    // With several under way the cause is unknown: each is repeated alone, as all invocations of a culprit are.
    return underWay <= 1 ? 'crashed' : 'lost';
  }
}
