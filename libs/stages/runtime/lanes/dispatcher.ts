// Decides when each trigger runs: in order within a lane of a source, sources in parallel, as the process admits them.
import { PortError } from '../../../domain/port-error.ts';
import type { TriggerResult } from '../outcome/trigger-result.ts';
import { paceOf } from '../admission/run-admission.ts';
import type { Claim } from '../admission/run-admission.ts';
import type { LaneName } from '../source/source-state.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';
import { Lane } from './lane.ts';
import type { SentTrigger } from './lane.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';

type Lanes = Record<LaneName, Lane>;

/** More triggers are read when a lane has only this many left: as many as a window takes at once. */
const readBackAt = 32;
/** The most triggers read from the log at a time. */
const readBackMax = 32;

export class TriggerDispatcher {
  readonly #options: DispatcherOptions;
  readonly #sources = new Map<string, Lanes>();
  readonly #blocked = new Set<Lane>();
  readonly #starved = new Set<Lane>();
  #resolveIdle: (() => void) | undefined;
  #running = 0;
  /** The expected output of all that runs. */
  #expectedBytes = 0;
  #stopped = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** The number of sources with something waiting or running: nothing is kept of the others. */
  get sourceCount(): number {
    return this.#sources.size;
  }

  /** The number of triggers that wait or run in a source's lane. */
  queueLength(sourceId: string, lane: LaneName): number {
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
  running(sourceId: string): readonly Pick<Lane, 'name' | 'isolate'>[] {
    const lanes = Object.values(this.#sources.get(sourceId) ?? {});
    return lanes.filter(({ name, sent }) => name !== 'hooks' && sent.length > 0);
  }

  add(trigger: QueuedTrigger): void {
    const lane = this.#lanes(trigger.sourceId)[trigger.lane];
    if (lane.overflow.length === 0 && this.#options.canBuffer(lane.bufferedCount)) this.#buffer(lane, trigger);
    else lane.overflow.push(trigger.offset);
    this.#advance(lane);
  }

  /** Checks the lanes whose first trigger was not runnable again. */
  wake(): void {
    this.#advanceAll(this.#blocked);
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
  async waitUntilIdle(): Promise<void> {
    if (this.#running === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resolveIdle = resolve;
    await promise;
  }

  #lanes(sourceId: string): Lanes {
    const known = this.#sources.get(sourceId);
    if (known !== undefined) return known;
    const lanes = { hooks: new Lane('hooks'), runs: new Lane('runs'), calls: new Lane('calls') };
    this.#sources.set(sourceId, lanes);
    return lanes;
  }

  #buffer(lane: Lane, trigger: QueuedTrigger): void {
    lane.buffer(trigger);
    this.#options.onBuffered(trigger);
  }

  /** Reads triggers from the log before the queue is empty, so that nothing waits for the read. */
  #readBack(lane: Lane): void {
    const { readBack, canBuffer, fail } = this.#options;
    if (lane.overflow.length === 0 || lane.isReadingBack || lane.bufferedCount > readBackAt) return;
    if (!canBuffer(lane.bufferedCount)) return;
    lane.isReadingBack = true;
    readBack(lane.overflow.first(readBackMax)).then(
      (triggers) => {
        lane.isReadingBack = false;
        if (this.#stopped) return;
        for (const trigger of triggers) {
          if (!canBuffer(lane.bufferedCount)) break;
          lane.overflow.shift();
          this.#buffer(lane, trigger);
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
    else if (!this.#options.isRunnable(trigger)) this.#blocked.add(lane);
    else if (!this.#options.canStart(0)) this.#starved.add(lane);
    else this.#requestAdmission(lane, trigger);
  }

  #requestAdmission(lane: Lane, trigger: QueuedTrigger): void {
    const { admission } = this.#options;
    const { workspace, sourceId } = trigger;
    const sourcePace = trigger.lane === 'runs' ? admission.paces.of(sourceId) : 'new';
    const claim: Claim = { workspace, sourcePace, begin: () => this.#begin(lane, trigger) };
    lane.claim = claim;
    lane.mustReacquire = false;
    admission[trigger.lane].request(claim);
  }

  /** Checks again whether the trigger is runnable: that might have changed while it waited to be admitted. */
  #begin(lane: Lane, trigger: QueuedTrigger): void {
    if (!this.#stopped && this.#options.isRunnable(trigger)) return this.#sendFirst(lane, trigger);
    this.#releaseClaim(lane, trigger);
    this.#blocked.add(lane);
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
      if (!this.#canSend(lane, next)) return;
      this.#send(lane, next, lane.concurrency === 1);
    }
  }

  #canSend(lane: Lane, next: QueuedTrigger): boolean {
    const { window, settingsOf, isolateFor, canStart, isRunnable } = this.#options;
    if (this.#stopped || lane.mustReacquire || lane.hasLost || next.lane !== 'runs' || next.losses > 0) return false;
    if (!lane.hasRoomFor(next, window) || !canStart(this.#expectedBytes + lane.outputBytes)) return false;
    const isConcurrent = lane.concurrency > 1;
    // A trigger that was lost runs alone: it might have crashed others. Other settings might mean another isolate.
    const canJoin = isConcurrent
      ? !lane.isRetrying && isRunnable(next) && settingsOf(next) === lane.settings
      : lane.isWarm;
    return canJoin && lane.joinableIsolate !== undefined && isolateFor(next, isConcurrent) === lane.joinableIsolate;
  }

  #send(lane: Lane, trigger: QueuedTrigger, follows: boolean): void {
    const { execute, isolateFor, admission, fail } = this.#options;
    const pace = paceOf(lane.claim?.sourcePace ?? 'new');
    const sent: SentTrigger = { trigger, follows, outputBytes: lane.outputBytes };
    const isConcurrent = lane.concurrency > 1;
    const isolate = isolateFor(trigger, true);
    lane.send(sent, { isolate, joinableIsolate: isConcurrent ? isolate : isolateFor(trigger, false) });
    this.#running++;
    this.#expectedBytes += sent.outputBytes;
    execute(trigger, { pace, follows, concurrent: isConcurrent }).then(
      (result) => {
        sent.completion = { result };
        lane.hasLost ||= result === undefined;
        this.#settleEnded(lane);
      },
      (error: unknown) => {
        if (lane.claim !== undefined) admission[trigger.lane].release(lane.claim);
        fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  #settleEnded(lane: Lane): void {
    for (let ended = lane.takeEnded(); ended !== undefined; ended = lane.takeEnded()) {
      this.#running--;
      this.#expectedBytes -= ended.outputBytes;
      const result = ended.completion?.result;
      if (result === undefined) {
        this.#handleLost(lane, ended);
        break;
      }
      ended.trigger.losses = 0;
      this.#handleFinished(lane, ended.trigger, result);
    }
    if (this.#running === 0) this.#resolveIdle?.();
  }

  #handleFinished(lane: Lane, trigger: QueuedTrigger, result: TriggerResult): void {
    const { admission, onFinished: notifyFinished } = this.#options;
    if (trigger.lane === 'runs' && result.used !== undefined) admission.paces.note(trigger.sourceId, result.used);
    this.#readBack(lane);
    lane.isWarm = result.isWarm;
    lane.outputBytes = result.bytes;
    lane.mustReacquire ||= !this.#keepsClaim(lane, trigger);
    notifyFinished(trigger, result, lane.overtakenBy(trigger));
    this.#wakeOthers(trigger);
    if (lane.sent.length > 0) {
      this.#sendMore(lane);
      return;
    }
    const next = lane.next;
    if (!lane.mustReacquire && next !== undefined && this.#canContinue(next)) {
      this.#sendFirst(lane, next);
      return;
    }
    this.#releaseClaim(lane, trigger);
    this.#advance(lane);
    this.#forgetIfEmpty(trigger.sourceId);
  }

  /** Whether a lane keeps its claim for the next trigger: no other lane waits for it, and the pace is the same. */
  #keepsClaim(lane: Lane, { lane: name, sourceId }: QueuedTrigger): boolean {
    const { admission } = this.#options;
    if (name !== 'runs' || lane.claim === undefined) return false;
    if (lane.claim.sourcePace !== admission.paces.of(sourceId)) return false;
    return admission.runs.renew(lane.claim) || (lane.concurrency > 1 && admission.runs.isUncontended(lane.claim));
  }

  #canContinue(next: QueuedTrigger): boolean {
    return !this.#stopped && this.#options.isRunnable(next) && this.#options.canStart(0);
  }

  #releaseClaim(lane: Lane, trigger: QueuedTrigger): void {
    if (lane.claim !== undefined) this.#options.admission[trigger.lane].release(lane.claim);
    lane.claim = undefined;
  }

  /** Triggers that followed go back into the queue: none has begun. Those that ran concurrently were lost as well. */
  #handleLost(lane: Lane, lost: SentTrigger): void {
    const { trigger } = lost;
    const requeued = lane.takeBack(lost);
    this.#running -= requeued.length;
    for (const { outputBytes } of requeued) this.#expectedBytes -= outputBytes;
    lane.isWarm = false;
    if (requeued.some(({ completion }) => completion?.result?.used !== undefined)) {
      const { sourceId } = trigger;
      this.#options.fail(new PortError('unavailable', `A run of ${sourceId} was lost, and one behind it was not`));
      return;
    }
    this.#wakeOthers(trigger);
    for (const sent of [lost, ...requeued]) if (!sent.follows) sent.trigger.losses++;
    this.#releaseClaim(lane, trigger);
    const delayMs = this.#options.repeatDelayMs(trigger);
    if (delayMs === 0) this.#advance(lane);
    else this.#retryLater(lane, delayMs);
  }

  /** Advances the source's other lanes, which might have waited for this one. */
  #wakeOthers({ sourceId, lane }: QueuedTrigger): void {
    for (const other of Object.values(this.#sources.get(sourceId) ?? {}))
      if (other.name !== lane && this.#blocked.delete(other)) this.#advance(other);
  }

  #retryLater(lane: Lane, delayMs: number): void {
    lane.isRetryDelayed = true;
    setTimeout(() => {
      lane.isRetryDelayed = false;
      this.#advance(lane);
    }, delayMs).unref();
  }

  #forgetIfEmpty(sourceId: string): void {
    if (!this.has(sourceId)) this.#sources.delete(sourceId);
  }
}
