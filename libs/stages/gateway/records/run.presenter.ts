// Runs of a source as the API shows them (docs/reference/component-api.md, "Events as records").
import type { ComponentError, ComponentRequest, ConsoleLine } from '../../../domain/component/output.ts';
import type { RunView } from '../../../domain/views/index.ts';
import type { RunRecord } from './run-record.dto.ts';

export const presentRun = (run: RunView): RunRecord => ({
  id: run.runId,
  source_id: run.sourceId,
  kind: run.kind,
  outcome: run.outcome,
  started_at_ms: run.startedAt,
  duration_ms: tenths(run.durationMs),
  console: (run.console as unknown as readonly ConsoleLine[]).map(({ level, text, at }) => ({
    level,
    text,
    at_ms: at,
  })),
  error: run.error as unknown as ComponentError | null,
  emitted: run.emitted,
  deduped: run.deduped,
  requests: (run.requests as unknown as readonly ComponentRequest[]).map(({ method, host, status, durationMs }) => ({
    method,
    host,
    status,
    duration_ms: tenths(durationMs),
  })),
  request_count: run.requestCount,
  trace_id: run.traceId ?? null,
});

/** Rounds to tenths of a millisecond: further digits of a duration are noise. */
const tenths = (ms: number): number => Math.round(ms * 10) / 10;
