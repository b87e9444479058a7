// The messages in which the scheduler records when timers are due.
import type { Millis, MessageOf } from '../message.ts';

/** The schedule of a timer: seconds between ticks, or a cron expression in a timezone. */
export type TimerSchedule = { readonly intervalSeconds: number } | { readonly cron: string; readonly timezone: string };

/** On `schedules`, compacted by source id; without data: the source has no timer any more. */
export type ScheduleEvent = MessageOf<{
  TimerScheduled: {
    readonly sourceId: string;
    readonly schedule: TimerSchedule;
    /** When it ticks next, or later if the run of its last tick has not ended by then. */
    readonly nextDue: Millis;
    /** Null: it has not ticked yet. */
    readonly lastDue: Millis | null;
    /** The unfinished run of its last tick, which delays the next one; null: there is none. */
    readonly waitsFor: string | null;
  };
}>;
