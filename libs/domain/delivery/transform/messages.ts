// The request to delivery to compile a transform, or to try it on an event.
import type { Json } from '../../json.ts';
import type { MessageOf } from '../../message.ts';
import type { TransformMetadata } from './transform.ts';

/** On `requests`, keyed by subscription, in the source's partition. */
export type TransformRequest = MessageOf<{
  TransformTrialRequested: {
    readonly subscriptionId: string;
    readonly emitterId: string;
    /** The gateway that waits for the result. */
    readonly replyTo: string;
    readonly transform: string;
    /** The event to try it on; absent: the transform is only compiled. */
    readonly on?: { readonly event: Json; readonly metadata: TransformMetadata };
  };
}>;
