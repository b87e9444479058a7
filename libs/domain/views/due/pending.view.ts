// View `pending`: events that wait for their due time, shown on channel `$in`. Retention deletes none of them.
import type { EmittedEvent } from '../../channel/messages.ts';
import type { Json } from '../../json.ts';
import { eventOrder } from '../../channel/event-id.ts';
import { traceIdOf } from '../../trace/traceparent.ts';
import type { View } from '../view.ts';

export type PendingView = {
  readonly workspace: string;
  readonly emitterId: string;
  /** `<ms>-<number>`. */
  readonly eventId: string;
  /** `eventOrder(eventId)`. */
  readonly order: string;
  /** The channel on which it will be emitted. */
  readonly channel: string;
  readonly runId: string;
  /** Epoch ms: when it was stored. */
  readonly emittedAt: number;
  readonly dueAt: number;
  readonly emit: EmittedEvent['data']['emit'];
  readonly event: Json;
  /** Absent in documents of earlier versions. */
  readonly traceId?: string;
};

export const pendingView: View<'pending', PendingView> = {
  definition: { name: 'pending', indexes: { byEmitter: ['emitterId', 'order'] }, revision: 1 },
  topics: ['pending'],

  idOf: ({ key }) => key,

  needsCurrent: () => false,

  /** A record without data: the event no longer waits. */
  evolve(_current, { workspace, at, correlationId, data }) {
    if (data === null || data === undefined) return undefined;
    const { sourceId, pendingId, channel, runId, dueAt, emit, event } = data;
    const id = { workspace, emitterId: sourceId, eventId: pendingId, order: eventOrder(pendingId) };
    return { ...id, channel, runId, emittedAt: at, dueAt, emit, event, traceId: traceIdOf(correlationId) };
  },
};
