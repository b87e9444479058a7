// Makes the end of a run or a hook for which a component was invoked.
import { errorsReport } from '../../../domain/run/failed-run.ts';
import type { Original } from '../../../domain/run/failed-run.ts';
import { runIdOf } from '../../../domain/run/run-output.ts';
import type { RunEnd } from '../../../domain/run/run-output.ts';
import type { DedupeStrategy } from '../../../domain/component/manifest.ts';
import type { InvocationOutcome } from '../../../sandbox/sandbox.ts';
import { ended, measured } from './finished.ts';
import type { Begun, Finished } from './finished.ts';

/** The size of a report's record without its event, or of the whole record if there is no room for the event. */
const reportOverheadBytes = 1_536;
/** After a longer run nothing is sent ahead, because the round trip that this saves would not matter. */
const warmMs = 100;

/** The rule by which a run's emits become events, and a function that returns the run's input. */
export interface Invoked {
  readonly strategy: DedupeStrategy | undefined;
  readonly original: () => Original;
}

export function invoked(begun: Begun, outcome: InvocationOutcome, { strategy, original }: Invoked): Finished {
  const failed = outcome.end === 'finished' ? undefined : (outcome.error ?? { name: 'Error', message: outcome.end });
  const { startedAt } = begun;
  const { durationMs } = outcome;
  const { console, requests } = outcome;
  const shown = { console, ...(requests === undefined ? {} : { requests }) };
  const isRun = begun.queued.lane === 'runs';
  const report =
    isRun && failed !== undefined
      ? (outcome.report ?? errorsReport(original(), { runId: runIdOf(begun.trigger), error: failed }))
      : undefined;
  const reports = report === undefined ? {} : { reports: [report.emit] };
  const end: RunEnd = { ...ended(failed), startedAt, durationMs, ...shown, emits: outcome.emits, ...reports };
  const used = { durationMs, cpuMs: outcome.cpuMs };
  const isWarm = (outcome.end === 'finished' || outcome.end === 'threw') && durationMs <= warmMs;
  const { dbWrites } = outcome;
  const mayFailYet = isRun && failed === undefined && dbWrites.length > 0;
  const parts = { end, strategy, dbWrites, used, isWarm, ...(mayFailYet ? { original } : {}) };
  const reportBytes = (report?.bytes ?? 0) + (report !== undefined || mayFailYet ? reportOverheadBytes : 0);
  return measured(begun, parts, outcome.emitsBytes + reportBytes);
}
