// Lists channel `$logs`: the runs that have printed something.
import { isId } from '../../../../../domain/id.ts';
import type { RunView } from '../../../../../domain/views/index.ts';
import { badCursor, expiredCursor } from '../../../http/pages/cursor.ts';
import { loggedRun } from '../../../records/logged-run.ts';
import type { EventsList } from './events-list.ts';

/** `find`: finds a run of the caller. */
export const logsOf = (sourceId: string, find: (runId: string) => Promise<RunView | undefined>): EventsList => ({
  view: 'runs',
  topic: 'runs',
  index: 'byLog',
  equals: [sourceId],
  place: async (cursor) => {
    if (!isId('run', cursor)) throw badCursor();
    const run = await find(cursor);
    if (run === undefined) throw expiredCursor();
    if (run.sourceId !== sourceId) throw badCursor();
    return { sort: run.place, id: cursor };
  },
  shown: (value) => loggedRun(value as RunView),
});
