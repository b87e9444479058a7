// Lists channel `$logs`: the runs that have printed something.
import { isId } from '../../../../../domain/id.ts';
import type { RunView } from '../../../../../domain/views/index.ts';
import { badCursor, expiredCursor } from '../../../http/pages/cursor.ts';
import { logEventOf } from '../../../records/log-event.ts';
import type { EventsList } from './events-list.ts';

/** `findRun`: finds a run of the caller. */
export const logsOf = (sourceId: string, findRun: (runId: string) => Promise<RunView | undefined>): EventsList => ({
  view: 'runs',
  topic: 'runs',
  index: 'byLog',
  equals: [sourceId],
  positionOfCursor: async (cursor) => {
    if (!isId('run', cursor)) throw badCursor();
    const run = await findRun(cursor);
    if (run === undefined) throw expiredCursor();
    if (run.sourceId !== sourceId) throw badCursor();
    return { sort: run.place, id: cursor };
  },
  eventOf: (value) => logEventOf(value as RunView),
});
