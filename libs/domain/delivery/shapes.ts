// What a record about deliveries and cursors must hold to be used.
import { finite, ident, list, millis, natural, nullable, object, oneOf, text } from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import type { CursorEvent, DeliveryEvent, OpenDelivery } from './messages.ts';

const target = {
  subscriptionId: ident,
  webhookId: ident,
  emitterId: ident,
  eventId: ident,
  channel: text,
  webhookMessageId: text,
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
  },
  DeliveryParked: { ...target, attempts: natural, reason: oneOf('attempts_exhausted', 'gone') },
};

const openDelivery = object<OpenDelivery>({ offset: natural, attempts: natural, dueAt: finite });

export const cursorEvents: ShapesOf<CursorEvent> = {
  BaseCursorOpened: { subscriptionId: ident, next: natural },
  CursorMoved: {
    subscriptionId: ident,
    emitterId: ident,
    next: natural,
    open: list(openDelivery),
    sequence: natural,
    behindFrom: nullable(natural),
  },
  CursorClosed: { subscriptionId: ident },
};
