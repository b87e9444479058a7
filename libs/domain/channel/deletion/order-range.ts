// The range of an emitter's events that is deleted, as the order of events sorts.
import { eventOrder } from '../event-id.ts';
import type { DeletedEvents } from '../messages.ts';

/** As `eventOrder` sorts: from here on, and below here. */
export interface OrderRange {
  readonly from: string;
  readonly to: string;
}

/** Comes behind the order of its event, and before that of the next. */
const justBehind = '!';
/** Behind every event. */
const end = ':';

export const orderRange = ({ startId, endId }: Pick<DeletedEvents, 'startId' | 'endId'>): OrderRange => ({
  from: startId === null ? '' : eventOrder(startId),
  to: endId === null ? end : eventOrder(endId) + justBehind,
});
