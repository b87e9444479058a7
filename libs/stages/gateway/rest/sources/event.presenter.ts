// Events and runs of a source as the API shows them (component-api.md 1.4).
import type { ComponentError, ConsoleLine } from '../../../../domain/component/messages.ts';
import type { Json } from '../../../../domain/json.ts';
import type { EventView, RunView } from '../../../../domain/views/index.ts';

export interface EventRecord {
  readonly id: string;
  readonly indexed_at_ms: number;
  /** Whole with `expand=event`; otherwise a longer one is the beginning of its JSON text, and `truncated` is there. */
  readonly event: Json;
  readonly truncated?: true;
  readonly metadata: {
    readonly emitter_id: string;
    readonly emit_id: string;
    readonly run_id: string;
    /** The channel; '' is the default one. */
    readonly name: string;
    readonly id?: string | number;
    readonly summary?: string;
    readonly ts?: number;
  };
}

/** Of the JSON text (component-api.md 1.4). */
const summaryChars = 1_024;

export function presentEvent(view: EventView, expanded: boolean): EventRecord {
  const { id, summary, ts } = view.emit;
  return {
    id: view.eventId,
    indexed_at_ms: view.emittedAt,
    ...shown(view.event, expanded),
    metadata: {
      emitter_id: view.emitterId,
      emit_id: view.eventId,
      run_id: view.runId,
      name: view.channel,
      ...(id === undefined ? {} : { id }),
      ...(summary === undefined ? {} : { summary }),
      ...(ts === undefined ? {} : { ts }),
    },
  };
}

function shown(event: Json, expanded: boolean): Pick<EventRecord, 'event' | 'truncated'> {
  if (expanded) return { event };
  const text = JSON.stringify(event);
  return text.length <= summaryChars ? { event } : { event: text.slice(0, summaryChars), truncated: true };
}

export interface ConsoleRecord {
  readonly level: string;
  readonly text: string;
  readonly at_ms: number;
}

export interface RunRecord {
  readonly id: string;
  readonly source_id: string;
  readonly kind: string;
  readonly outcome: string;
  readonly started_at_ms: number;
  readonly duration_ms: number;
  readonly console: readonly ConsoleRecord[];
  readonly error: ComponentError | null;
  readonly emitted: readonly string[];
  /** Emits that the dedupe strategy dropped. */
  readonly deduped: number;
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
});

/** Finer than this a duration is noise. */
const tenths = (ms: number): number => Math.round(ms * 10) / 10;
