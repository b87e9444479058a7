// The range of a source's events that is deleted, as the order of events sorts.
import { eventOrder } from '../channel/event-id.ts';
import type { DeletedEvents } from '../channel/messages.ts';

/** In the order of `eventOrder`: `from` inclusive, `to` exclusive. */
export interface OrderRange {
  readonly from: string;
  readonly to: string;
}

/** Sorts after its event and before the next. */
const justBehind = '!';
/** Sorts after every event. */
const end = '~';

export const orderRange = ({ startId, endId }: Pick<DeletedEvents, 'startId' | 'endId'>): OrderRange => ({
  from: startId === null ? '' : eventOrder(startId),
  to: endId === null ? end : eventOrder(endId) + justBehind,
});
