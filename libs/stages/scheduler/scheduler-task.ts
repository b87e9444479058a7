// The scheduler's task for a partition: requests a trigger for each due timer, in one append with its next due time.
import type { Ambient } from '../../domain/ambient.ts';
import type { RunEvent } from '../../domain/channel/messages.ts';
import type { Appends, Reads } from '../../domain/flow.ts';
import type { Millis } from '../../domain/message.ts';
import type { RecordOn, RecordsOn } from '../../domain/messages-of.ts';
import { isSameSchedule } from '../../domain/timer/schedule.ts';
import { positionKey } from '../../log/log.ts';
import type { OutgoingOn, Position, Positions } from '../../log/log.ts';
import { areFromTopic } from '../loop/reading/page-topic.ts';
import type { MalformedRecord } from '../loop/reading/unusable.ts';
import type { Output, StageTask, TaskContext } from '../loop/stage.ts';
import { runOfTick, scheduleEnded, scheduleRecord, triggerOf } from './schedule-records.ts';
import { definedTimer, newTimer } from './restore-schedules.ts';
import type { Restored } from './restore-schedules.ts';
import type { Timer, Timers } from './timers.ts';

/** The most ticks per append: a cron tick takes 0.2 ms, and catching up on many thousands must let others run. */
const ticksMax = 64;
/** The most schedules per append in addition to its ticks: each has about 300 bytes. */
const schedulesMax = 512;
/** The longest wait, so that a change of the wall clock is noticed: waits use the monotonic clock. */
const waitMaxMs = 1_000;
/** If the wall clock falls further behind the monotonic clock than this between two checks, it was set back. */
const driftMaxMs = 1_000;
/** How often the mark is moved when there are no records to append: `runs` can be deleted up to the mark. */
const markMs = 5_000;
/**
 * The pause after reading a page of runs, since reading each run as it ends would cost more than all ticks. A timer
 * whose run takes longer than its interval ticks at most this much later.
 */
const runsPauseMs = 200;
/** After a page with at least this many runs, reading continues without a pause, because it is behind. */
const pauseBelow = 256;

type TimerOutgoing = OutgoingOn<Appends<'scheduler'>>;

export interface SchedulerTaskOptions {
  readonly context: TaskContext;
  readonly ambient: Ambient;
  readonly restored: Restored;
  /** The offset at which reading `runs` continues. */
  readonly runsFrom: number;
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number;
}

export class SchedulerTask implements StageTask<Reads<'scheduler'>, Appends<'scheduler'>> {
  readonly start: readonly Position<Reads<'scheduler'>>[];
  readonly #options: SchedulerTaskOptions;
  readonly #timers: Timers;
  /** The schedules to append, by source id: only the newest one of a source matters. */
  readonly #changedTimers = new Map<string, Timer | Pick<Timer, 'sourceId' | 'workspace'>>();
  #runsTo: number;
  #markedTo: number | undefined;
  #markedAt: number;
  #clockOffset: number;
  #wakeTimer: NodeJS.Timeout | undefined;
  #runsTimer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: SchedulerTaskOptions) {
    const { context, restored, runsFrom, ambient, elapsedMs } = options;
    const { partition, mark } = context;
    this.#options = options;
    this.#timers = restored.timers;
    for (const one of [...restored.changed, ...restored.ended]) this.#changedTimers.set(one.sourceId, one);
    this.#runsTo = runsFrom;
    this.#markedTo = mark.positions[positionKey('runs', partition)];
    this.#markedAt = elapsedMs();
    this.#clockOffset = ambient.now() - elapsedMs();
    this.start = [
      { topic: 'sources', partition, offset: restored.next },
      { topic: 'runs', partition, offset: runsFrom },
    ];
  }

  handle(records: RecordsOn<Reads<'scheduler'>>, next: number): void {
    const { tolerate } = this.#options.context;
    if (areFromTopic('runs', records)) {
      for (const record of records) this.#handleRunEnd(record);
      this.#runsTo = next;
      if (records.length < pauseBelow) this.#pauseRuns();
    } else for (const record of records) tolerate(record, () => this.#define(record));
  }

  /** An unreadable run might be the one that a timer waits for: ticking again too early is better than never. */
  skipMalformed({ topic, record }: MalformedRecord, next: number): void {
    if (topic !== 'runs') return;
    this.#runsTo = next;
    const { key } = record as { readonly key?: unknown };
    const known = typeof key === 'string' ? this.#timers.get(key) : undefined;
    for (const timer of known === undefined ? this.#timers.values() : [known])
      if (timer.waitsFor !== null) this.#resumeTimer(timer);
  }

  takeOutput(): Output<Appends<'scheduler'>> | undefined {
    if (this.#stopped) return undefined;
    const now = this.#options.ambient.now();
    this.#checkClocks(now);
    const records = [...this.#ticks(now), ...this.#schedules(now)];
    if (records.length > 0 || this.#msUntilMark() <= 0) return { records, positions: this.#positions() };
    this.#scheduleWake(now);
    return undefined;
  }

  onCommitted(): void {}

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#wakeTimer);
    clearTimeout(this.#runsTimer);
  }

  #pauseRuns(): void {
    const { context } = this.#options;
    context.pause('runs', context.partition);
    clearTimeout(this.#runsTimer);
    this.#runsTimer = setTimeout(() => context.resume('runs', context.partition), runsPauseMs).unref();
  }

  /** The mark moves past a run only when the schedules that the run changed are on the log. */
  #positions(): Positions {
    const { context, runsFrom, elapsedMs } = this.#options;
    this.#markedTo = this.#changedTimers.size > 0 ? (this.#markedTo ?? runsFrom) : this.#runsTo;
    this.#markedAt = elapsedMs();
    return { [positionKey('runs', context.partition)]: this.#markedTo };
  }

  #define(record: RecordOn<'sources'>): void {
    const defined = definedTimer(record);
    const { key: sourceId, workspace } = record;
    const timer = this.#timers.get(sourceId);
    if (defined === undefined) {
      if (timer === undefined) return;
      this.#timers.delete(sourceId);
      this.#changedTimers.set(sourceId, { sourceId, workspace: timer.workspace || workspace });
    } else if (timer !== undefined && isSameSchedule(timer.schedule, defined.schedule)) {
      timer.revision = defined.revision;
      this.#timers.setPaused(timer, defined.isPaused);
    } else {
      const changed = newTimer(defined, this.#options.ambient.now());
      this.#timers.set(changed);
      this.#changedTimers.set(sourceId, changed);
    }
  }

  #handleRunEnd({ data }: RunEvent): void {
    if (data.kind !== 'timer') return;
    const timer = this.#timers.get(data.sourceId);
    if (timer !== undefined && timer.waitsFor === data.runId) this.#resumeTimer(timer);
  }

  #resumeTimer(timer: Timer): void {
    this.#timers.resume(timer);
    this.#changedTimers.set(timer.sourceId, timer);
  }

  /** Each trigger, with the schedule that records that it was requested. */
  #ticks(now: Millis): readonly TimerOutgoing[] {
    const { partition } = this.#options.context;
    const outgoing: TimerOutgoing[] = [];
    for (let ticks = 0; ticks < ticksMax; ticks++) {
      const timer = this.#timers.tick(now, runOfTick);
      if (timer === undefined) break;
      this.#changedTimers.delete(timer.sourceId);
      outgoing.push({ topic: 'triggers', partition, record: triggerOf(timer, timer.lastDue ?? now, now) });
      outgoing.push({ topic: 'schedules', partition, record: scheduleRecord(timer, now) });
    }
    return outgoing;
  }

  #schedules(now: Millis): readonly TimerOutgoing[] {
    const { partition } = this.#options.context;
    const outgoing: TimerOutgoing[] = [];
    for (const [sourceId, one] of this.#changedTimers) {
      if (outgoing.length >= schedulesMax) break;
      this.#changedTimers.delete(sourceId);
      const record = 'schedule' in one ? scheduleRecord(one, now) : scheduleEnded(one, now);
      outgoing.push({ topic: 'schedules', partition, record });
    }
    return outgoing;
  }

  #checkClocks(now: Millis): void {
    const clockOffset = now - this.#options.elapsedMs();
    const wasSetBack = this.#clockOffset - clockOffset > driftMaxMs;
    this.#clockOffset = clockOffset;
    if (!wasSetBack) return;
    for (const timer of this.#timers.correctDueTimes(now)) this.#changedTimers.set(timer.sourceId, timer);
  }

  /** The first mark is due at once: without it, a restart could begin to read `runs` after a tick's run and miss it. */
  #msUntilMark(): number {
    if (this.#markedTo === undefined) return 0;
    return this.#runsTo === this.#markedTo ? Infinity : this.#markedAt + markMs - this.#options.elapsedMs();
  }

  #scheduleWake(now: Millis): void {
    const { context } = this.#options;
    const dueMs = (this.#timers.firstDue ?? Infinity) - now;
    clearTimeout(this.#wakeTimer);
    this.#wakeTimer = setTimeout(() => context.ready(), Math.max(1, Math.min(dueMs, this.#msUntilMark(), waitMaxMs)));
    this.#wakeTimer.unref();
  }
}
