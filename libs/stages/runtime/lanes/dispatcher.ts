// Decides when each trigger runs: in order within a lane of a source, sources in parallel, within the process's places.
import { PortError } from '../../../domain/port-error.ts';
import type { Finished } from '../outcome/finished.ts';
import { paceOf } from '../places/run-places.ts';
import type { Claim } from '../places/run-places.ts';
import type { LaneName } from '../source/source-state.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';
import { Lane } from './lane.ts';
import type { Sent } from './lane.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';

type Lanes = Record<LaneName, Lane>;

/** More triggers are read when a lane has only this many left: as many as a window takes at once. */
const readBackAt = 32;
/** The most triggers read from the log at a time. */
const readBackMax = 32;

export class TriggerDispatcher {
  readonly #options: DispatcherOptions;
  readonly #sources = new Map<string, Lanes>();
  readonly #held = new Set<Lane>();
  readonly #starved = new Set<Lane>();
  #idle: (() => void) | undefined;
  #running = 0;
  /** The expected output of all that runs. */
  #expectedBytes = 0;
  #stopped = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** The number of sources with something waiting or running: nothing is kept of the others. */
  get sources(): number {
    return this.#sources.size;
  }

  /** The number of triggers that wait or run in a source's lane. */
  length(sourceId: string, lane: LaneName): number {
    return this.#sources.get(sourceId)?.[lane].length ?? 0;
  }

  /** Whether anything of a source waits or runs. */
  has(sourceId: string): boolean {
    return Object.values(this.#sources.get(sourceId) ?? {}).some(({ length }) => length > 0);
  }

  /** Whether anything of a source runs, or was sent to follow what runs. */
  isRunning(sourceId: string): boolean {
    return Object.values(this.#sources.get(sourceId) ?? {}).some(({ sent }) => sent.length > 0);
  }

  /** The source's lanes of runs and calls that have something in progress. */
  running(sourceId: string): readonly Pick<Lane, 'name' | 'runsOn'>[] {
    const lanes = Object.values(this.#sources.get(sourceId) ?? {});
    return lanes.filter(({ name, sent }) => name !== 'hooks' && sent.length > 0);
  }

  add(trigger: QueuedTrigger): void {
    const lane = this.#lanes(trigger.sourceId)[trigger.lane];
    if (lane.behind.length === 0 && this.#options.mayKeep(lane.kept)) this.#keep(lane, trigger);
    else lane.behind.push(trigger.offset);
    this.#advance(lane);
  }

  /** Checks the lanes whose first trigger was not runnable again. */
  wake(): void {
    this.#advanceAll(this.#held);
  }

  #advanceAll(waiting: Set<Lane>): void {
    const lanes = [...waiting];
    waiting.clear();
    for (const lane of lanes) this.#advance(lane);
  }

  wakeStarved(): void {
    this.#advanceAll(this.#starved);
  }

  /** Starts nothing from now on. */
  stop(): void {
    this.#stopped = true;
  }

  /** Resolves once nothing runs. */
  async idle(): Promise<void> {
    if (this.#running === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = resolve;
    await promise;
  }

  #lanes(sourceId: string): Lanes {
    const known = this.#sources.get(sourceId);
    if (known !== undefined) return known;
    const lanes = { hooks: new Lane('hooks'), runs: new Lane('runs'), calls: new Lane('calls') };
    this.#sources.set(sourceId, lanes);
    return lanes;
  }

  #keep(lane: Lane, trigger: QueuedTrigger): void {
    lane.keep(trigger);
    this.#options.kept(trigger);
  }

  /** Reads triggers from the log before the queue is empty, so that nothing waits for the read. */
  #readBack(lane: Lane): void {
    const { readBack, mayKeep, fail } = this.#options;
    if (lane.behind.length === 0 || lane.isReadingBack || lane.kept > readBackAt) return;
    if (!mayKeep(lane.kept)) return;
    lane.isReadingBack = true;
    readBack(lane.behind.first(readBackMax)).then(
      (triggers) => {
        lane.isReadingBack = false;
        if (this.#stopped) return;
        for (const trigger of triggers) {
          if (!mayKeep(lane.kept)) break;
          lane.behind.shift();
          this.#keep(lane, trigger);
        }
        this.#advance(lane);
      },
      (error: unknown) => fail(error instanceof Error ? error : new Error(String(error))),
    );
  }

  #advance(lane: Lane): void {
    if (!this.#stopped) this.#readBack(lane);
    const trigger = lane.next;
    if (this.#stopped || trigger === undefined) return;
    if (lane.sent.length > 0) this.#sendMore(lane);
    else if (!lane.isIdle) return;
    else if (!this.#options.runnable(trigger)) this.#held.add(lane);
    else if (!this.#options.mayStart(0)) this.#starved.add(lane);
    else this.#ask(lane, trigger);
  }

  #ask(lane: Lane, trigger: QueuedTrigger): void {
    const { places } = this.#options;
    const { workspace, sourceId } = trigger;
    const sourcePace = trigger.lane === 'runs' ? places.paces.of(sourceId) : 'new';
    const claim: Claim = { workspace, sourcePace, begin: () => this.#begin(lane, trigger) };
    lane.claim = claim;
    lane.isOver = false;
    places[trigger.lane].take(claim);
  }

  /** Checks again whether the trigger is runnable: that might have changed while it waited for a place. */
  #begin(lane: Lane, trigger: QueuedTrigger): void {
    if (!this.#stopped && this.#options.runnable(trigger)) return this.#sendFirst(lane, trigger);
    this.#leave(lane, trigger);
    this.#held.add(lane);
  }

  /** Call for a lane with nothing in progress. */
  #sendFirst(lane: Lane, trigger: QueuedTrigger): void {
    lane.settings = this.#options.settingsOf(trigger);
    lane.concurrency = trigger.lane === 'runs' ? (lane.settings?.concurrency ?? 1) : 1;
    this.#send(lane, trigger, false);
    this.#sendMore(lane);
  }

  /** Sends more triggers: to run concurrently with the first, or to wait at the runner instead of here. */
  #sendMore(lane: Lane): void {
    for (let next = lane.next; next !== undefined; next = lane.next) {
      if (!this.#mayBeSent(lane, next)) return;
      this.#send(lane, next, lane.concurrency === 1);
    }
  }

  #mayBeSent(lane: Lane, next: QueuedTrigger): boolean {
    const { window, settingsOf, isolateFor, mayStart, runnable } = this.#options;
    if (this.#stopped || lane.isOver || lane.isBroken || next.lane !== 'runs' || next.losses > 0) return false;
    if (!lane.hasRoomFor(next, window) || !mayStart(this.#expectedBytes + lane.outputBytes)) return false;
    const isConcurrent = lane.concurrency > 1;
    // A trigger that was lost runs alone: it might have crashed others. Other settings might mean another isolate.
    const mayJoin = isConcurrent
      ? !lane.isRepeating && runnable(next) && settingsOf(next) === lane.settings
      : lane.isWarm;
    return mayJoin && lane.joinedOn !== undefined && isolateFor(next, isConcurrent) === lane.joinedOn;
  }

  #send(lane: Lane, trigger: QueuedTrigger, follows: boolean): void {
    const { execute, isolateFor, places, fail } = this.#options;
    const pace = paceOf(lane.claim?.sourcePace ?? 'new');
    const sent: Sent = { trigger, follows, outputBytes: lane.outputBytes };
    const isConcurrent = lane.concurrency > 1;
    const runsOn = isolateFor(trigger, true);
    lane.send(sent, { runsOn, joinedOn: isConcurrent ? runsOn : isolateFor(trigger, false) });
    this.#running++;
    this.#expectedBytes += sent.outputBytes;
    execute(trigger, { pace, follows, concurrent: isConcurrent }).then(
      (finished) => {
        sent.result = { finished };
        lane.isBroken ||= finished === undefined;
        this.#settle(lane);
      },
      (error: unknown) => {
        if (lane.claim !== undefined) places[trigger.lane].release(lane.claim);
        fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  #settle(lane: Lane): void {
    for (let ended = lane.takeEnded(); ended !== undefined; ended = lane.takeEnded()) {
      this.#running--;
      this.#expectedBytes -= ended.outputBytes;
      const finished = ended.result?.finished;
      if (finished === undefined) {
        this.#lost(lane, ended);
        break;
      }
      ended.trigger.losses = 0;
      this.#finished(lane, ended.trigger, finished);
    }
    if (this.#running === 0) this.#idle?.();
  }

  #finished(lane: Lane, trigger: QueuedTrigger, finished: Finished): void {
    const { places, finished: tell } = this.#options;
    if (trigger.lane === 'runs' && finished.used !== undefined) places.paces.note(trigger.sourceId, finished.used);
    this.#readBack(lane);
    lane.isWarm = finished.isWarm;
    lane.outputBytes = finished.bytes;
    lane.isOver ||= !this.#goesOn(lane, trigger);
    tell(trigger, finished, lane.overtakenBy(trigger));
    this.#wakeOthers(trigger);
    if (lane.sent.length > 0) {
      this.#sendMore(lane);
      return;
    }
    const next = lane.next;
    if (!lane.isOver && next !== undefined && this.#mayGoOn(next)) {
      this.#sendFirst(lane, next);
      return;
    }
    this.#leave(lane, trigger);
    this.#advance(lane);
    this.#forgetIfEmpty(trigger.sourceId);
  }

  /** Whether a lane keeps its place for the next trigger: no other lane waits for it, and the pace is the same. */
  #goesOn(lane: Lane, { lane: name, sourceId }: QueuedTrigger): boolean {
    const { places } = this.#options;
    if (name !== 'runs' || lane.claim === undefined) return false;
    if (lane.claim.sourcePace !== places.paces.of(sourceId)) return false;
    return places.runs.renew(lane.claim) || (lane.concurrency > 1 && places.runs.mayStay(lane.claim));
  }

  #mayGoOn(next: QueuedTrigger): boolean {
    return !this.#stopped && this.#options.runnable(next) && this.#options.mayStart(0);
  }

  #leave(lane: Lane, trigger: QueuedTrigger): void {
    if (lane.claim !== undefined) this.#options.places[trigger.lane].release(lane.claim);
    lane.claim = undefined;
  }

  /** Triggers that followed go back into the queue: none has begun. Those that ran concurrently were lost as well. */
  #lost(lane: Lane, lost: Sent): void {
    const { trigger } = lost;
    const behind = lane.takeBack(lost);
    this.#running -= behind.length;
    for (const { outputBytes } of behind) this.#expectedBytes -= outputBytes;
    lane.isWarm = false;
    if (behind.some(({ result }) => result?.finished?.used !== undefined)) {
      const { sourceId } = trigger;
      this.#options.fail(new PortError('unavailable', `A run of ${sourceId} was lost, and one behind it was not`));
      return;
    }
    this.#wakeOthers(trigger);
    for (const sent of [lost, ...behind]) if (!sent.follows) sent.trigger.losses++;
    this.#leave(lane, trigger);
    const delayMs = this.#options.repeatDelayMs(trigger);
    if (delayMs === 0) this.#advance(lane);
    else this.#rest(lane, delayMs);
  }

  /** Advances the source's other lanes, which might have waited for this one. */
  #wakeOthers({ sourceId, lane }: QueuedTrigger): void {
    for (const other of Object.values(this.#sources.get(sourceId) ?? {}))
      if (other.name !== lane && this.#held.delete(other)) this.#advance(other);
  }

  #rest(lane: Lane, delayMs: number): void {
    lane.resting = true;
    setTimeout(() => {
      lane.resting = false;
      this.#advance(lane);
    }, delayMs).unref();
  }

  #forgetIfEmpty(sourceId: string): void {
    if (!this.has(sourceId)) this.#sources.delete(sourceId);
  }
}
