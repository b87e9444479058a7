// The outcome of an attempt: that of its request or, if no request is made, that of the subscription's transform.
import type { AttemptTrace } from '../../../domain/delivery/attempt/attempt-details.ts';
import type { WebhookFailure, WebhookOutcome } from '../../../webhooks/webhook.ts';

/** The transform threw, reached a limit, or returned what cannot be sent. */
interface TransformFailed {
  readonly kind: 'failed';
  readonly failure: 'transform_failed';
  readonly message: string;
  readonly durationMs: number;
  /** Empty: nothing was sent. */
  readonly trace: AttemptTrace;
}

/** The transform dropped the event, so that it is not sent. */
interface Dropped {
  readonly kind: 'dropped';
}

export type AttemptFailure = WebhookFailure | 'transform_failed';
export type EndedOutcome = WebhookOutcome | TransformFailed;
export type AttemptOutcome = EndedOutcome | Dropped;
