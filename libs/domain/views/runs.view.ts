// View `runs`: every run of a source with its console and error, newest first.
import { eventOrder } from '../channel/event-id.ts';
import type { RunOutcome } from '../channel/messages.ts';
import type { TriggerKind } from '../source/messages.ts';
import type { Json } from '../json.ts';
import { traceIdOf } from '../trace/traceparent.ts';
import { asJson, type View } from './view.ts';

export type RunView = {
  readonly workspace: string;
  readonly runId: string;
  readonly sourceId: string;
  readonly kind: TriggerKind;
  readonly outcome: RunOutcome;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** `ConsoleLine[]`. */
  readonly console: Json;
  /** `ComponentError`, or null. */
  readonly error: Json;
  /** Event ids, in order. */
  readonly emitted: readonly string[];
  readonly deduped: number;
  /** `ComponentRequest[]`: the first requests. */
  readonly requests: Json;
  readonly requestCount: number;
  /** Offset on the log, since runs end in another order than they start. Never shown. */
  readonly place: number;
  /** The sort key of lists: when the run began and, within a millisecond, its offset. Never shown. */
  readonly order: string;
  /** The source's id if the run has printed something, else empty: lists of `$logs` use it. Never shown. */
  readonly loggedUnder: string;
  /** Absent in documents of earlier versions. */
  readonly traceId?: string;
};

/** The order of triggers: runs of a source that are not concurrent end in that order. */
function orderOf(startedAt: number, place: number): string {
  return eventOrder(`${Math.floor(startedAt)}-${place}`);
}

const sample: RunView = {
  workspace: 'o_0000000000000000',
  runId: 'run_',
  sourceId: 'dc_0000000000000000',
  kind: 'http',
  outcome: 'succeeded',
  startedAt: 1_700_000_000_000,
  durationMs: 0,
  console: [],
  error: null,
  emitted: ['1700000000000-0'],
  deduped: 0,
  requests: [],
  requestCount: 0,
  place: 0,
  order: orderOf(1_700_000_000_000, 0),
  loggedUnder: '',
  traceId: '',
};

export const runsView: View<'runs', RunView> = {
  definition: {
    name: 'runs',
    sample: JSON.stringify(sample),
    indexes: {
      byOutcome: ['sourceId', 'outcome', 'order'],
      byKind: ['sourceId', 'kind', 'outcome', 'order'],
      byPlace: ['sourceId', 'place'],
      byLog: ['loggedUnder', 'place'],
      byTime: ['startedAt'],
    },
    unique: ['byOutcome', 'byKind', 'byPlace', 'byLog'],
    revision: 2,
  },
  topics: ['runs'],

  idOf: (record) => (record.type === 'RunFinished' ? record.data.runId : undefined),

  needsCurrent: () => false,

  evolve: (_current, { workspace, correlationId, data, offset }) => ({
    workspace,
    runId: data.runId,
    sourceId: data.sourceId,
    kind: data.kind,
    outcome: data.outcome,
    startedAt: data.startedAt,
    durationMs: data.durationMs,
    console: asJson(data.console),
    error: asJson(data.error ?? null),
    emitted: data.emitted,
    deduped: data.deduped,
    requests: asJson(data.requests?.list ?? []),
    requestCount: data.requests?.count ?? 0,
    place: offset,
    order: orderOf(data.startedAt, offset),
    loggedUnder: data.console.length === 0 ? '' : data.sourceId,
    traceId: traceIdOf(correlationId),
  }),

  expiry: {
    index: 'byTime',
    fieldValueAt: (at) => at,
    valueOf: ({ startedAt }) => startedAt,
    timeOf: ({ startedAt }) => startedAt,
  },
};
