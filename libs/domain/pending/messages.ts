// Events that a component has emitted for a later time, while they wait for it (topic `pending`).
import type { EmittedEvent } from '../channel/messages.ts';
import type { MessageOf, Millis } from '../message.ts';

/** On `pending`, compacted by source id and number; without data: it has become an event, or was cancelled. */
export type PendingEvent = MessageOf<{
  EmitDelayed: Pick<EmittedEvent['data'], 'channel' | 'event' | 'emit' | 'runId' | 'hops'> & {
    readonly sourceId: string;
    /** Unique among those of its source that wait. */
    readonly number: number;
    /** `<ms>-<number>`, ms being the time at which it was emitted: what lists of `$in` show as its id. */
    readonly pendingId: string;
    readonly dueAt: Millis;
  };
}>;
