// Tests of a webhook: a made-up event is sent once, and only the response to the caller reports it.
import type { AnswerHeaders, AttemptTrace, SentHeaders } from './attempt-details.ts';

export interface WebhookTestRequest {
  readonly webhookId: string;
  /** The gateway instance that waits. */
  readonly replyTo: string;
}

/** The most waiting tests of one gateway, and of each workspace there: each holds a socket and a connection. */
export const testsWaitingMax = { all: 32, each: 8 };
/** The most running tests in a partition, and of each workspace there: each holds a connection for a whole attempt. */
export const testsRunningMax = { all: 16, each: 4 };
/** How long the caller waits; an older request is not carried out. */
export const testTimeoutMs = 30_000;
/** The longest attempt: the rest of `testTimeoutMs` is for connecting and the way over the log and back. */
export const testAttemptTimeoutMs = 25_000;

/** The fields of an attempt's record, but it is never on the log. */
export interface TestAttempt {
  readonly status: number | null;
  readonly failure: string | null;
  readonly message: string | null;
  readonly answer: string | null;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly trace: AttemptTrace;
  readonly requestHeaders: SentHeaders;
  readonly answerHeaders: AnswerHeaders | null;
}

/** Why there was no attempt. */
export type TestRefusal = 'unknown_webhook' | 'no_key' | 'too_many';

/** The body of a test. */
export const testEvent = (webhookId: string, at: number): string =>
  JSON.stringify({
    type: 'webhook.test',
    webhook_id: webhookId,
    sent_at: new Date(at).toISOString(),
    message: 'This is a test of the webhook. Nothing has happened.',
  });
