// View `schedules`: when the timer of a source is due next, shown with the source.
import type { View } from '../view.ts';

export type ScheduleView = {
  readonly workspace: string;
  readonly sourceId: string;
  /** Epoch ms. */
  readonly nextDue: number;
  readonly lastDue: number | null;
};

export const schedulesView: View<'schedules', ScheduleView> = {
  definition: { name: 'schedules', indexes: {} },
  topics: ['schedules'],

  idOf: ({ key }) => key,

  needsCurrent: () => false,

  /** A record without data: the timer has ended. */
  evolve(_current, { workspace, data }) {
    if (data === null || data === undefined) return undefined;
    const { sourceId, nextDue, lastDue } = data;
    return { workspace, sourceId, nextDue, lastDue };
  },
};
