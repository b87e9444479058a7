// The shapes of transforms in records; records that do not match are not used.
import { finite, ident, json, object, optional, text } from '../../shape/checks.ts';
import type { Check } from '../../shape/checks.ts';
import type { ShapesOf } from '../../shape/shapes.ts';
import type { TransformRequest } from './messages.ts';
import { transformProblem, type TransformMetadata } from './transform.ts';

export const transformShape: Check<string> = (value) => (transformProblem(value) === undefined ? undefined : '');

type On = NonNullable<TransformRequest['data']['on']>;

const metadata = object<TransformMetadata>({
  event_id: text,
  event_name: text,
  emitter_id: text,
  subscription_id: text,
  emitted_at_ms: finite,
});

export const transformRequests: ShapesOf<TransformRequest> = {
  TransformTrialRequested: {
    subscriptionId: ident,
    emitterId: ident,
    replyTo: ident,
    transform: transformShape,
    on: optional(object<On>({ event: json, metadata })),
  },
};
