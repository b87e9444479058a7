// View `schedules`: when the timer of a source is due next, shown with the source.
import type { ScheduleEvent } from '../../timer/messages.ts';
import type { View } from '../view.ts';

export type ScheduleView = {
  readonly workspace: string;
  readonly sourceId: string;
  /** Epoch ms. */
  readonly nextDue: number;
  readonly lastDue: number | null;
};

export const schedulesView: View<ScheduleEvent, ScheduleView> = {
  definition: { name: 'schedules', indexes: {} },
  topics: ['schedules'],

  idOf: ({ key }) => key,

  needsCurrent: () => false,

  /** Without data it has ended. */
  evolve(_current, record) {
    const data = record.data as ScheduleEvent['data'] | null | undefined;
    if (data === null || data === undefined) return undefined;
    const { sourceId, nextDue, lastDue } = data;
    return { workspace: record.workspace, sourceId, nextDue, lastDue };
  },
};
