// Events of a source as the API shows them (docs/reference/component-api.md, "Events as records").
import type { Json } from '../../../domain/json.ts';
import type { EventView } from '../../../domain/views/index.ts';
import { truncateText } from '../../../primitives/text/truncate-text.ts';
import type { EventRecord } from './event-record.dto.ts';

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
    ...presentBody(view.event, expanded),
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

function presentBody(event: Json, expanded: boolean): Pick<EventRecord, 'event' | 'truncated'> {
  if (expanded) return { event };
  const text = JSON.stringify(event);
  return text.length <= summaryChars ? { event } : { event: truncateText(text, summaryChars), truncated: true };
}
