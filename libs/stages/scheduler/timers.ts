// The timers of a partition: which of them are due, and which wait for the run of their last tick.
import { dueAt, withinReach } from '../../domain/timer/due.ts';
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
  /** While it is not null the timer does not tick. */
  waitsFor: string | null;
}

/** Entries of timers that have gone or moved meanwhile; beyond it the heap is made anew. */
const staleMax = 1_024;

export class Timers {
  readonly #bySource = new Map<string, Timer>();
  readonly #heap = new DueHeap<Timer>();

  get(sourceId: string): Timer | undefined {
    return this.#bySource.get(sourceId);
  }

  /** In the place of what the source had. */
  set(timer: Timer): void {
    this.#bySource.set(timer.sourceId, timer);
    this.#wait(timer);
  }

  delete(sourceId: string): void {
    this.#bySource.delete(sourceId);
  }

  values(): Iterable<Timer> {
    return this.#bySource.values();
  }

  /** When the next one ticks; undefined: none does. */
  get firstDue(): Millis | undefined {
    return this.#first()?.nextDue;
  }

  /** The one that has been due for the longest, which waits for its run from now on; undefined: none is due. */
  tick(now: Millis, runOf: (timer: Timer, due: Millis) => string): Timer | undefined {
    const timer = this.#first();
    if (timer === undefined || timer.nextDue > now) return undefined;
    this.#heap.pop();
    const { due, nextDue } = dueAt(timer.schedule, timer.nextDue, now);
    timer.lastDue = due;
    timer.nextDue = nextDue;
    timer.waitsFor = runOf(timer, due);
    return timer;
  }

  /** What does not tick any more, or at another time, is dropped on the way. */
  #first(): Timer | undefined {
    for (let first = this.#heap.first; first !== undefined; first = this.#heap.first) {
      if (this.#ticks(first.item, first.due)) return first.item;
      this.#heap.pop();
    }
    return undefined;
  }

  /** The run of its last tick has ended: it ticks again, at once if that was due meanwhile. */
  goOn(timer: Timer): void {
    timer.waitsFor = null;
    this.#wait(timer);
  }

  /** Gives those whose time was too far away by the clock as it is now, and is not any more. */
  clockSetBack(now: Millis): readonly Timer[] {
    return [...this.#bySource.values()].filter((timer) => {
      const nextDue = withinReach(timer.schedule, timer.nextDue, now);
      if (nextDue === timer.nextDue) return false;
      timer.nextDue = nextDue;
      this.#wait(timer);
      return true;
    });
  }

  #wait(timer: Timer): void {
    if (timer.waitsFor === null) this.#heap.push(timer.nextDue, timer);
    if (this.#heap.length > 2 * this.#bySource.size + staleMax) this.#makeHeap();
  }

  #makeHeap(): void {
    this.#heap.clear();
    for (const timer of this.#bySource.values()) if (timer.waitsFor === null) this.#heap.push(timer.nextDue, timer);
  }

  #ticks(timer: Timer, due: Millis): boolean {
    return this.#bySource.get(timer.sourceId) === timer && timer.waitsFor === null && timer.nextDue === due;
  }
}
