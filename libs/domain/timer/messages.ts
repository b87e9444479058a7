// When timers are due, as the scheduler writes it down.
import type { Millis, MessageOf } from '../message.ts';

/** What a timer goes by: seconds between ticks, or a cron expression in a timezone. */
export type TimerSchedule = { readonly intervalSeconds: number } | { readonly cron: string; readonly timezone: string };

/** On `schedules`, compacted by source id; without data: the source has no timer any more. */
export type ScheduleEvent = MessageOf<{
  TimerScheduled: {
    readonly sourceId: string;
    readonly schedule: TimerSchedule;
    /** When it is to tick next; later where the run of its last tick has not ended then. */
    readonly nextDue: Millis;
    /** Null: it has not ticked yet. */
    readonly lastDue: Millis | null;
    /** The run of its last tick, while that has not ended; null: nothing keeps it from ticking. */
    readonly waitsFor: string | null;
  };
}>;
