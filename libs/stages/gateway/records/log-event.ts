// Presents a run that has printed something as an event of channel `$logs`.
import { logsChannel, logsEventOf } from '../../../domain/run/logs-report.ts';
import type { ConsoleLine } from '../../../domain/component/output.ts';
import type { RunView } from '../../../domain/views/index.ts';
import type { ShownEvent } from './event.presenter.ts';

/** The event has the run's id, and the time at which the run ended. */
export const logEventOf = (run: RunView): ShownEvent => ({
  eventId: run.runId,
  emittedAt: Math.round(run.startedAt + run.durationMs),
  event: logsEventOf({ ...run, console: run.console as unknown as readonly ConsoleLine[] }),
  emitterId: run.sourceId,
  runId: run.runId,
  channel: logsChannel,
  emit: {},
  ...(run.traceId === undefined ? {} : { traceId: run.traceId }),
});
