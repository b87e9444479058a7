// Keeps the timers of a partition: which are due, and which wait for the run of their last tick.
import { newestTick, limitNextDue } from '../../domain/timer/due.ts';
import type { Millis } from '../../domain/message.ts';
import type { TimerSchedule } from '../../domain/timer/messages.ts';
import { DueHeap } from '../../domain/timer/due-heap.ts';

export interface Timer {
  readonly sourceId: string;
  readonly workspace: string;
  readonly schedule: TimerSchedule;
  revision: number;
  nextDue: Millis;
  lastDue: Millis | null;
  /** The run that the timer waits for; it does not tick meanwhile. Null: none. */
  waitsFor: string | null;
  /** While true, the timer does not tick, but keeps the rhythm of its due times. */
  isPaused: boolean;
}

const canTick = ({ waitsFor, isPaused }: Timer): boolean => waitsFor === null && !isPaused;

/** The heap keeps stale entries, of deleted or changed timers; above about this number it is rebuilt. */
const staleMax = 1_024;

export class Timers {
  readonly #bySource = new Map<string, Timer>();
  readonly #heap = new DueHeap<Timer>();

  get(sourceId: string): Timer | undefined {
    return this.#bySource.get(sourceId);
  }

  /** Replaces the source's earlier timer. */
  set(timer: Timer): void {
    this.#bySource.set(timer.sourceId, timer);
    this.#enqueue(timer);
  }

  delete(sourceId: string): void {
    this.#bySource.delete(sourceId);
  }

  values(): Iterable<Timer> {
    return this.#bySource.values();
  }

  /** When the next timer is due; undefined: none is waiting to tick. */
  get firstDue(): Millis | undefined {
    return this.#first()?.nextDue;
  }

  /** Ticks and returns the timer that has been due longest, which then waits for its run. Undefined: none is due. */
  tick(now: Millis, runOf: (timer: Timer, due: Millis) => string): Timer | undefined {
    const timer = this.#first();
    if (timer === undefined || timer.nextDue > now) return undefined;
    this.#heap.pop();
    const { due, nextDue } = newestTick(timer.schedule, timer.nextDue, now);
    timer.lastDue = due;
    timer.nextDue = nextDue;
    timer.waitsFor = runOf(timer, due);
    return timer;
  }

  /** The timer that is due first; removes stale entries before it. */
  #first(): Timer | undefined {
    for (let first = this.#heap.first; first !== undefined; first = this.#heap.first) {
      if (this.#isCurrent(first.item, first.due)) return first.item;
      this.#heap.pop();
    }
    return undefined;
  }

  /** The run of the last tick has ended: the timer ticks again, at once if a tick became due meanwhile. */
  resume(timer: Timer): void {
    timer.waitsFor = null;
    this.#enqueue(timer);
  }

  /** Makes the timer rest, or end its rest: then it ticks at once if a tick became due meanwhile. */
  setPaused(timer: Timer, isPaused: boolean): void {
    if (timer.isPaused === isPaused) return;
    timer.isPaused = isPaused;
    this.#enqueue(timer);
  }

  /** Corrects timers whose due time is too far in the future by the current clock, and returns them. */
  correctDueTimes(now: Millis): readonly Timer[] {
    return [...this.#bySource.values()].filter((timer) => {
      const nextDue = limitNextDue(timer.schedule, timer.nextDue, now);
      if (nextDue === timer.nextDue) return false;
      timer.nextDue = nextDue;
      this.#enqueue(timer);
      return true;
    });
  }

  #enqueue(timer: Timer): void {
    if (canTick(timer)) this.#heap.push(timer.nextDue, timer);
    if (this.#heap.length > 2 * this.#bySource.size + staleMax) this.#rebuildHeap();
  }

  #rebuildHeap(): void {
    this.#heap.clear();
    for (const timer of this.#bySource.values()) if (canTick(timer)) this.#heap.push(timer.nextDue, timer);
  }

  #isCurrent(timer: Timer, due: Millis): boolean {
    return this.#bySource.get(timer.sourceId) === timer && canTick(timer) && timer.nextDue === due;
  }
}
