// Channel `$logs` as it is listed and streamed: runs that have printed something, in the shape of events.
import { logsChannel, printedRun } from '../../../../../domain/channel/service/printed-run.ts';
import type { ConsoleLine } from '../../../../../domain/component/messages.ts';
import { isId } from '../../../../../domain/id.ts';
import type { RunView } from '../../../../../domain/views/index.ts';
import { badCursor, expiredCursor } from '../../../http/cursor.ts';
import type { ShownEvent } from './event.presenter.ts';
import type { EventsList } from './events-list.ts';

/** The event has the run's id, and the time at which the run ended. */
export const loggedRun = (run: RunView): ShownEvent => ({
  eventId: run.runId,
  emittedAt: Math.round(run.startedAt + run.durationMs),
  event: printedRun({ ...run, console: run.console as unknown as readonly ConsoleLine[] }),
  ...{ emitterId: run.sourceId, runId: run.runId, channel: logsChannel, emit: {} },
  ...(run.traceId === undefined ? {} : { traceId: run.traceId }),
});

/** `find`: finds a run among the caller's. */
export const logsOf = (sourceId: string, find: (runId: string) => Promise<RunView | undefined>): EventsList => ({
  ...{ view: 'runs', topic: 'runs', index: 'byLog', equals: [sourceId] },
  place: async (cursor) => {
    if (!isId('run', cursor)) throw badCursor();
    const run = await find(cursor);
    if (run === undefined) throw expiredCursor();
    if (run.sourceId !== sourceId) throw badCursor();
    return { sort: run.place, id: cursor };
  },
  shown: (value) => loggedRun(value as RunView),
});
