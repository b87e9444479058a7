// The shapes of records about deliveries and cursors; records that do not match are not used.
import {
  either,
  finite,
  flag,
  ident,
  list,
  millis,
  natural,
  nullable,
  object,
  oneOf,
  optional,
  record,
  text,
} from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import type { AttemptTrace } from './attempt/attempt-details.ts';
import { segmentIndexed } from './indexing/shapes.ts';
import type {
  CursorCounters,
  CursorEvent,
  CursorReport,
  DeliveryEvent,
  FailedAttempt,
  OpenDelivery,
  ParkedSpan,
  ParkedTimes,
  PlacedChange,
  UnnumberedDelivery,
} from './messages.ts';

const trace = object<AttemptTrace>({
  address: optional(text),
  dnsMs: optional(finite),
  connectMs: optional(finite),
  tlsMs: optional(finite),
  firstByteMs: optional(finite),
  totalMs: optional(finite),
});

const target = {
  subscriptionId: ident,
  webhookId: ident,
  emitterId: ident,
  eventId: ident,
  channel: text,
  webhookMessageId: ident,
};

export const deliveryEvents: ShapesOf<DeliveryEvent> = {
  DeliveryAttempted: {
    ...target,
    attempt: natural,
    outcome: oneOf('delivered', 'failed'),
    status: nullable(finite),
    failure: nullable(text),
    message: nullable(text),
    answer: nullable(text),
    startedAt: millis,
    durationMs: finite,
    nextAttemptAt: nullable(finite),
    replayId: optional(ident),
    afterReplay: optional(flag),
    trace: optional(trace),
    requestHeaders: optional(record(text)),
    answerHeaders: optional(record(either(text, list(text)))),
  },
  DeliveryParked: {
    ...target,
    attempts: natural,
    reason: oneOf('attempts_exhausted', 'gone', 'too_many_waiting'),
    replayId: optional(ident),
  },
  EventsFiltered: { subscriptionId: ident, emitterId: ident, count: natural },
  DeliveryReopened: { ...target, attempts: natural },
  DeliveryDiscarded: { ...target, attempts: natural, by: optional(oneOf('transform', 'deletion')) },
};

const unnumbered = { offset: natural, attempts: natural, dueAt: finite };
export const delivery = { ...unnumbered, sequence: natural, waitMs: natural, orderKey: optional(text) };
const expired = object<CursorCounters['expired']>({
  gone: natural,
  retention: natural,
  deleted: optional(natural),
  discarded: optional(natural),
});
export const counters = object<CursorCounters>({
  published: natural,
  delivered: natural,
  parked: natural,
  filtered: natural,
  expired,
  parkedTimes: optional(
    object<ParkedTimes>({
      expiredBelow: millis,
      spans: list(object<ParkedSpan>({ from: millis, to: millis, count: natural })),
    }),
  ),
});

const failed = object<FailedAttempt>({
  eventId: ident,
  at: millis,
  status: nullable(finite),
  failure: nullable(text),
});
const report = object<CursorReport>({
  waiting: natural,
  eventId: nullable(ident),
  failed: nullable(failed),
  retryAt: nullable(finite),
  behind: optional(natural),
  failingSince: optional(millis),
});

export const cursorEvents: ShapesOf<CursorEvent> = {
  BaseCursorOpened: { subscriptionId: ident, next: natural },
  CursorAdvanced: {
    subscriptionId: ident,
    emitterId: ident,
    epoch: natural,
    next: natural,
    open: list(object<OpenDelivery>(delivery)),
    counters,
    behindFrom: nullable(natural),
    report: optional(report),
    orderedBy: optional(text),
  },
  RetryWaiting: { subscriptionId: ident, emitterId: ident, ...delivery },
  KeyWaiting: {
    subscriptionId: ident,
    emitterId: ident,
    orderKey: text,
    first: natural,
    sequence: natural,
    last: natural,
    waiting: natural,
  },
  DeletionKept: {
    emitterId: ident,
    channel: nullable(text),
    startId: nullable(ident),
    endId: nullable(ident),
    offset: natural,
  },
  FiltersPlaced: {
    subscriptionId: ident,
    places: list(object<PlacedChange>({ version: natural, from: natural })),
  },
  OpeningAdvanced: { subscriptionId: ident, next: natural },
  SegmentIndexed: segmentIndexed,
  CursorMoved: {
    subscriptionId: ident,
    emitterId: ident,
    next: natural,
    open: list(object<UnnumberedDelivery>(unnumbered)),
    sequence: natural,
    behindFrom: nullable(natural),
  },
  CursorClosed: { subscriptionId: ident },
};
