// Events that a component has emitted for a later time, while they wait for it (topic `pending`).
import type { EmittedEvent } from '../channel/messages.ts';
import type { MessageOf, Millis } from '../message.ts';

/** On `pending`, compacted by source id and number; without data: it has become an event, or was cancelled. */
export type PendingEvent = MessageOf<{
  EmitDelayed: Pick<EmittedEvent['data'], 'channel' | 'event' | 'emit' | 'runId' | 'hops'> & {
    readonly sourceId: string;
    /** Unique among the waiting events of its source. */
    readonly number: number;
    /** `<ms>-<number>`, where ms is the time of the emit: the id that lists of `$in` show. */
    readonly pendingId: string;
    readonly dueAt: Millis;
  };
}>;
