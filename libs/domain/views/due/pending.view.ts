// View `pending`: what waits for the time at which it becomes an event, as channel `$in` shows it. Retention takes none of it.
import type { EmittedEvent } from '../../channel/messages.ts';
import type { Json } from '../../json.ts';
import { eventOrder } from '../../channel/event-id.ts';
import type { View } from '../view.ts';

export type PendingView = {
  readonly workspace: string;
  readonly emitterId: string;
  /** `<ms>-<number>`. */
  readonly eventId: string;
  /** `eventOrder(eventId)`. */
  readonly order: string;
  /** Where it will be emitted. */
  readonly channel: string;
  readonly runId: string;
  /** Epoch ms: when it was put there. */
  readonly emittedAt: number;
  readonly dueAt: number;
  readonly emit: EmittedEvent['data']['emit'];
  readonly event: Json;
};

export const pendingView: View<'pending', PendingView> = {
  definition: { name: 'pending', indexes: { byEmitter: ['emitterId', 'order'] } },
  topics: ['pending'],

  idOf: ({ key }) => key,

  needsCurrent: () => false,

  /** Without data it waits no longer. */
  evolve(_current, { workspace, at, data }) {
    if (data === null || data === undefined) return undefined;
    const { sourceId, pendingId, channel, runId, dueAt, emit, event } = data;
    const id = { workspace, emitterId: sourceId, eventId: pendingId, order: eventOrder(pendingId) };
    return { ...id, channel, runId, emittedAt: at, dueAt, emit, event };
  },
};
