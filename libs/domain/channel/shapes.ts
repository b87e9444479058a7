// The shapes of records about runs: events, run records and states of sources. Records that do not match are not used.
import { triggerKind } from '../source/shapes.ts';
import { componentError, componentRequests, consoleLines } from '../component/shapes.ts';
import {
  either,
  finite,
  flag,
  ident,
  json,
  list,
  millis,
  natural,
  nullable,
  object,
  oneOf,
  optional,
  sealed,
  text,
  variants,
} from '../shape/checks.ts';
import type { ShapeOf } from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import type {
  ChannelEvent,
  DedupeMemory,
  DeletionRequest,
  EmittedEvent,
  FilterChangeRequest,
  LogsRequest,
  NumberedChange,
  RunEvent,
  StateEvent,
} from './messages.ts';

type Memory<Strategy extends DedupeMemory['strategy']> = Extract<DedupeMemory, { strategy: Strategy }>;

const dedupeMemory = variants<DedupeMemory, 'strategy'>('strategy', {
  unique: object<Memory<'unique'>>({ strategy: oneOf('unique'), ids: list(text) }),
  greatest: object<Memory<'greatest'>>({ strategy: oneOf('greatest'), greatest: either(finite, text) }),
  last: object<Memory<'last'>>({ strategy: oneOf('last'), last: text }),
});

const numberedChange: ShapeOf<NumberedChange> = { subscriptionId: ident, version: natural };
const deletedRange = { channel: nullable(text), startId: nullable(ident), endId: nullable(ident) };

export const channelEvents: ShapesOf<ChannelEvent> = {
  EventEmitted: {
    emitterId: ident,
    eventId: ident,
    channel: text,
    event: json,
    emit: object<EmittedEvent['data']['emit']>({
      id: optional(either(text, finite)),
      summary: optional(text),
      ts: optional(finite),
    }),
    runId: text,
    hops: optional(natural),
    sample: optional(flag),
  },
  EventsDeleted: { emitterId: ident, ...deletedRange },
  FilterChanged: numberedChange,
};

export const deletionRequests: ShapesOf<DeletionRequest> = {
  EventDeletionRequested: { sourceId: ident, ...deletedRange },
};

export const filterChangeRequests: ShapesOf<FilterChangeRequest> = { FilterChangeRequested: numberedChange };

export const logsRequests: ShapesOf<LogsRequest> = { LogsRequested: { emitterId: ident } };

export const runEvents: ShapesOf<RunEvent> = {
  RunFinished: {
    runId: ident,
    sourceId: ident,
    kind: triggerKind,
    outcome: oneOf('succeeded', 'failed', 'refused'),
    startedAt: millis,
    durationMs: finite,
    console: consoleLines,
    error: optional(componentError),
    emitted: list(text),
    deduped: natural,
    requests: optional(componentRequests),
  },
};

export const stateEvents: ShapesOf<StateEvent> = {
  SourceStateSaved: {
    sourceId: ident,
    db: nullable(sealed),
    dedupe: nullable(dedupeMemory),
    nextSeq: natural,
    lastEventMs: finite,
    finishedBelow: object<StateEvent['data']['finishedBelow']>({
      hooks: natural,
      runs: natural,
      deletions: optional(natural),
      calls: optional(natural),
      publishes: optional(natural),
    }),
    overtaken: optional(list(natural)),
  },
};
