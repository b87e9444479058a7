// The shapes of records about replays and of requests to delivery; records that do not match are not used.
import { flag, ident, list, millis, natural, nullable, object, oneOf, optional, text } from '../../shape/checks.ts';
import type { ShapesOf } from '../../shape/shapes.ts';
import type { DeliveryActionRequest } from '../attempt/delivery-action-request.ts';
import type { OpenDelivery } from '../messages.ts';
import { counters, delivery } from '../shapes.ts';
import type { DeliveryRequest, ReplayEnds, ReplayEvent, ReplayPart } from './messages.ts';
import type { ReplayPosition } from './position.ts';

export const position = object<ReplayPosition>({
  by: oneOf('earliest', 'now', 'event', 'time', 'sequence'),
  value: natural,
});

const target = {
  replayId: ident,
  subscriptionId: ident,
  emitterId: ident,
  part: optional(object<ReplayPart>({ partition: natural, of: natural })),
};

const params = {
  ...target,
  from: position,
  to: position,
  only: oneOf('all', 'failed', 'parked'),
  rate: nullable(natural),
  fingerprint: nullable(text),
  dryRun: optional(flag),
};

const actionRequest = {
  subscriptionId: ident,
  emitterId: ident,
  eventId: ident,
  channel: text,
  offset: optional(natural),
  seen: object<DeliveryActionRequest['seen']>({
    isParked: flag,
    attempts: natural,
    below: natural,
    channelsBelow: optional(natural),
  }),
};

export const deliveryRequests: ShapesOf<DeliveryRequest> = {
  ReplayRequested: { ...params, formerId: optional(ident) },
  DeliveryRetryRequested: actionRequest,
  DeliveryDiscardRequested: actionRequest,
  WebhookTestRequested: { webhookId: ident, replyTo: ident },
  FiltersNeededRequested: { subscriptionId: ident, replyTo: ident },
  ReplayCancelRequested: target,
};

export const replayEvents: ShapesOf<ReplayEvent> = {
  ReplayAdvanced: {
    ...params,
    state: oneOf('pending', 'running', 'done', 'cancelled'),
    reason: nullable(
      oneOf(
        'requested',
        'webhook_deleted',
        'not_a_webhook',
        'too_many_replays',
        'too_many_selected',
        'no_such_sequence',
      ),
    ),
    requestedAt: millis,
    endedAt: nullable(millis),
    acceptedAt: natural,
    range: nullable(object<{ readonly first: number; readonly end: number }>({ first: natural, end: natural })),
    total: nullable(natural),
    ends: optional(object<ReplayEnds>({ first: ident, last: ident })),
    chosenBelow: optional(natural),
    next: natural,
    open: list(object<OpenDelivery>(delivery)),
    counters,
  },
};
