// The shapes of schedules on the log; records that do not match are not used.
import { either, ident, millis, natural, nullable, object, text } from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import type { ScheduleEvent, TimerSchedule } from './messages.ts';

/** An interval of zero would loop forever. */
const positive: typeof natural = (value) => natural(value) ?? (value === 0 ? '' : undefined);

export const timerSchedule = either(
  object<Extract<TimerSchedule, { readonly intervalSeconds: number }>>({ intervalSeconds: positive }),
  object<Extract<TimerSchedule, { readonly cron: string }>>({ cron: text, timezone: text }),
);

export const scheduleEvents: ShapesOf<ScheduleEvent> = {
  TimerScheduled: {
    sourceId: ident,
    schedule: timerSchedule,
    nextDue: millis,
    lastDue: nullable(millis),
    waitsFor: nullable(ident),
  },
};
