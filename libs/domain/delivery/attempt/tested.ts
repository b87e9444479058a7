// A test of a webhook: an event that nothing has emitted is sent once, and nothing but the answer shows it.
import type { AnswerHeaders, AttemptTrace, SentHeaders } from './attempt-details.ts';

export interface WebhookTestAsked {
  readonly webhookId: string;
  /** The gateway instance that waits. */
  readonly replyTo: string;
}

/** Tests of one gateway that wait, and of one workspace: each holds a socket and a connection to a receiver. */
export const testsWaitingMax = { all: 32, each: 8 };
/** Tests under way in a partition, and of one workspace there: each holds a connection as long as an attempt may last. */
export const testsRunningMax = { all: 16, each: 4 };
/** Nobody waits longer: a request that is older is not carried out. */
export const testMs = 30_000;
/** The longest attempt: connecting and both ways over the log fit beside it. */
export const testAttemptMs = 25_000;

/** As an attempt's record, but that it is on no log. */
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
export type TestRefused = 'unknown_webhook' | 'no_key' | 'too_many';

/** The body of a test. */
export const testEvent = (webhookId: string, at: number): string =>
  JSON.stringify({
    type: 'webhook.test',
    webhook_id: webhookId,
    sent_at: new Date(at).toISOString(),
    message: 'This is a test of the webhook. Nothing has happened.',
  });
