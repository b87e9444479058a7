// Events and runs of a source as the API shows them (docs/reference/component-api.md, "Events as records").
import type { ComponentError, ComponentRequest, ConsoleLine } from '../../../../domain/component/messages.ts';
import type { Json } from '../../../../domain/json.ts';
import type { EventView, RunView } from '../../../../domain/views/index.ts';
import type { EventRecord, RunRecord } from './event-record.dto.ts';

/** Characters of the JSON text (docs/reference/component-api.md, "Events as records"). */
const summaryChars = 1_024;

export interface ShownEvent extends Pick<
  EventView,
  'eventId' | 'emittedAt' | 'event' | 'emitterId' | 'runId' | 'channel' | 'emit' | 'sample' | 'traceId'
> {
  readonly dueAt?: number;
}

export function presentEvent(view: ShownEvent, expanded: boolean): EventRecord {
  const { dueAt } = view;
  const { id, summary, ts } = view.emit;
  return {
    id: view.eventId,
    indexed_at_ms: view.emittedAt,
    ...shown(view.event, expanded),
    metadata: {
      emitter_id: view.emitterId,
      emit_id: view.eventId,
      run_id: view.runId === '' ? null : view.runId,
      trace_id: view.traceId ?? null,
      name: view.channel,
      ...(id === undefined ? {} : { id }),
      ...(summary === undefined ? {} : { summary }),
      ...(ts === undefined ? {} : { ts }),
      ...(dueAt === undefined ? {} : { delivery_ts: dueAt }),
      ...(view.sample === true ? { sample: true } : {}),
    },
  };
}

function shown(event: Json, expanded: boolean): Pick<EventRecord, 'event' | 'truncated'> {
  if (expanded) return { event };
  const text = JSON.stringify(event);
  return text.length <= summaryChars ? { event } : { event: text.slice(0, summaryChars), truncated: true };
}

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

/** More digits of a duration are noise. */
const tenths = (ms: number): number => Math.round(ms * 10) / 10;
