// Makes the end of a run or a hook for which a component was invoked.
import { errorsReport } from '../../../domain/run/errors-report.ts';
import type { OriginalEvent } from '../../../domain/run/errors-report.ts';
import { runIdOf } from '../../../domain/run/run-output.ts';
import type { RunEnd } from '../../../domain/run/run-output.ts';
import type { DedupeStrategy } from '../../../domain/component/manifest.ts';
import type { InvocationOutcome } from '../../../sandbox/sandbox.ts';
import { outcomeOf, resultOf } from './trigger-result.ts';
import type { Attempt, TriggerResult } from './trigger-result.ts';

/** The size of a report's record without its event, or of the whole record if there is no room for the event. */
const reportOverheadBytes = 1_536;
/** After a longer run nothing is sent ahead, because the round trip that this saves would not matter. */
const warmMs = 100;

/** The rule by which a run's emits become events, and a function that returns the run's input. */
export interface InvocationContext {
  readonly strategy: DedupeStrategy | undefined;
  readonly original: () => OriginalEvent;
}

export function invocationResult(
  attempt: Attempt,
  outcome: InvocationOutcome,
  { strategy, original }: InvocationContext,
): TriggerResult {
  const failure = outcome.end === 'finished' ? undefined : (outcome.error ?? { name: 'Error', message: outcome.end });
  const { startedAt } = attempt;
  const { durationMs } = outcome;
  const { console, requests } = outcome;
  const logs = { console, ...(requests === undefined ? {} : { requests }) };
  const isRun = attempt.queued.lane === 'runs';
  const report =
    isRun && failure !== undefined
      ? (outcome.report ?? errorsReport(original(), { runId: runIdOf(attempt.trigger), error: failure }))
      : undefined;
  const reports = report === undefined ? {} : { reports: [report.emit] };
  const end: RunEnd = { ...outcomeOf(failure), startedAt, durationMs, ...logs, emits: outcome.emits, ...reports };
  const used = { durationMs, cpuMs: outcome.cpuMs };
  const isWarm = (outcome.end === 'finished' || outcome.end === 'threw') && durationMs <= warmMs;
  const { dbWrites } = outcome;
  const canStillFail = isRun && failure === undefined && dbWrites.length > 0;
  const parts = { end, strategy, dbWrites, used, isWarm, ...(canStillFail ? { original } : {}) };
  const reportBytes = (report?.bytes ?? 0) + (report !== undefined || canStillFail ? reportOverheadBytes : 0);
  return resultOf(attempt, parts, outcome.emitsBytes + reportBytes);
}
