// Publishing: events that come from outside, for the channels of a source without code.
import type { EmitCall } from '../component/emit-call.ts';
import type { MessageOf } from '../message.ts';

/** What is published, as it was sent. */
export type PublishedEvent = Omit<EmitCall, 'deliveryTs'>;

/** On `triggers`, keyed by source: it waits for nothing but the next append. */
export type PublishRequest = MessageOf<{
  EventsPublishRequested: {
    readonly sourceId: string;
    readonly events: readonly PublishedEvent[];
    /** From the request's Idempotency-Key: an event without an id is told by this, its place and its content. */
    readonly requestKey?: string;
    /** The gateway instance that waits for the events' ids. */
    readonly replyTo: string;
  };
}>;

/** On `state`, keyed by source id and segment: some of the ids that were published last. */
export type RecentIdsEvent = MessageOf<{
  RecentIdsSaved: {
    readonly sourceId: string;
    readonly segment: number;
    /** How many ids of the source were ever remembered, all segments together. */
    readonly count: number;
    /** Base64: for each id eight bytes of its hash, and the time and the number of its event in six bytes each. */
    readonly ids: string;
  };
}>;
