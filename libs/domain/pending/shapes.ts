// The shapes of records of delayed events; records that do not match are not used.
import { channelEvents } from '../channel/shapes.ts';
import { finite, ident, natural } from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import type { PendingEvent } from './messages.ts';

const { channel, event, emit, runId, hops } = channelEvents.EventEmitted;

export const pendingEvents: ShapesOf<PendingEvent> = {
  EmitDelayed: { sourceId: ident, number: natural, pendingId: ident, dueAt: finite, channel, event, emit, runId, hops },
};
