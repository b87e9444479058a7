// View `schedules`: when the timer of a source is due next, shown with the source.
import type { TimerSchedule } from '../../timer/messages.ts';
import type { View } from '../view.ts';

export type ScheduleView = {
  readonly workspace: string;
  readonly sourceId: string;
  /** The schedule of the due times; after an update it can differ from the source's current one. */
  readonly schedule: TimerSchedule;
  /** Epoch ms. */
  readonly nextDue: number;
  readonly lastDue: number | null;
};

export const schedulesView: View<'schedules', ScheduleView> = {
  definition: { name: 'schedules', indexes: {}, revision: 1 },
  topics: ['schedules'],

  idOf: ({ key }) => key,

  needsCurrent: () => false,

  /** A record without data: the timer has ended. */
  evolve(_current, { workspace, data }) {
    if (data === null || data === undefined) return undefined;
    const { sourceId, schedule, nextDue, lastDue } = data;
    return { workspace, sourceId, schedule, nextDue, lastDue };
  },
};
