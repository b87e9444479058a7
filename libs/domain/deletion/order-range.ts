// Converts a range of deleted event ids into a range of sortable texts (`eventOrder`).
import { eventOrder } from '../channel/event-id.ts';
import type { DeletedEvents } from '../channel/messages.ts';

/** In the order of `eventOrder`: `from` inclusive, `to` exclusive. */
export interface OrderRange {
  readonly from: string;
  readonly to: string;
}

/** Sorts after its event and before the next. */
const afterEventSuffix = '!';
/** Sorts after every event. */
const afterAllEvents = '~';

export const orderRange = ({ startId, endId }: Pick<DeletedEvents, 'startId' | 'endId'>): OrderRange => ({
  from: startId === null ? '' : eventOrder(startId),
  to: endId === null ? afterAllEvents : eventOrder(endId) + afterEventSuffix,
});
