// Messages about publishing: events that API clients send to the channels of a source without code.
import type { EmitCall } from '../component/emit-call.ts';
import type { MessageOf } from '../message.ts';

/** A published event, unchanged. */
export type PublishedEvent = Omit<EmitCall, 'deliveryTs'>;

/** On `triggers`, keyed by source: handled with the next append, without waiting for runs. */
export type PublishRequest = MessageOf<{
  EventsPublishRequested: {
    readonly sourceId: string;
    readonly events: readonly PublishedEvent[];
    /** From the request's Idempotency-Key: identifies an event without an id, together with its place and content. */
    readonly requestKey?: string;
    /** The gateway instance that waits for the events' ids. */
    readonly replyTo: string;
  };
}>;

/** On `state`, keyed by source id and segment: a part of the recently published ids. */
export type RecentIdsEvent = MessageOf<{
  RecentIdsSaved: {
    readonly sourceId: string;
    readonly segment: number;
    /** The number of ids of the source that were ever remembered, in all segments. */
    readonly count: number;
    /** Base64: for each id eight bytes of its hash, and the time and the number of its event in six bytes each. */
    readonly ids: string;
  };
}>;
