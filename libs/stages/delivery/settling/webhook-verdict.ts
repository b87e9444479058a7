// Decides what follows from an attempt's outcome: delivered, retry or park.
import type { Ambient } from '../../../domain/ambient.ts';
import { reopenedSequence } from '../../../domain/delivery/cursor.ts';
import { attemptsMax, goneStatus, isSuccess, decideAfterAttempt } from '../../../domain/delivery/retry.ts';
import type { EndedOutcome } from '../outcomes/outcome.ts';
import { isSilence } from '../lanes/reputation.ts';
import type { Attempt, WebhookVerdict } from '../records/attempt-records.ts';

const randomRange = 2 ** 32;
/** A status that is handled like any other failure. */
const notFoundStatus = 404;

export function verdictOn(
  attempt: Attempt,
  outcome: EndedOutcome,
  ambient: Pick<Ambient, 'randomBytes'>,
): WebhookVerdict {
  if (outcome.kind === 'answered' && isSuccess(outcome.status)) return { kind: 'delivered' };
  const random = ambient.randomBytes(4).readUInt32BE() / randomRange;
  const { webhook } = attempt.cursor.subscription;
  const result =
    outcome.kind === 'answered'
      ? {
          status: currentStatus(outcome.status, attempt.generation === webhook.generation),
          timedOut: false,
          retryAfterSeconds: outcome.retryAfterSeconds,
        }
      : { status: null, timedOut: isSilence(outcome.failure) };
  const verdict = decideAfterAttempt({ attempt: attempt.number, ...result }, webhook.retrySchedule, random);
  if (verdict.kind !== 'park' || !webhook.ordered || !webhook.blocks) return verdict;
  // An event that was parked before blocks no others.
  const wasReopened = attempt.cursor.openAt(attempt.event.offset)?.sequence === reopenedSequence;
  return wasReopened ? verdict : { kind: 'block', reason: verdict.reason };
}

/** The verdict on an attempt whose delivery was given up in the meantime: no retry follows. */
export const lateVerdict = (verdict: WebhookVerdict): WebhookVerdict =>
  verdict.kind === 'delivered' ? verdict : { kind: 'retry', waitMs: 0 };

/** A 410 from the webhook's former receiver says nothing about its current one. */
const currentStatus = (status: number, isCurrent: boolean): number =>
  status === goneStatus && !isCurrent ? notFoundStatus : status;

/** Whether the webhook changed while the attempt was in flight: then a verdict that blocks is out of date. */
export const hasChanged = ({ cursor, keys }: Attempt): boolean => cursor.subscription.webhook.keys !== keys;

/** Whether the receiver is gone permanently (410): nothing more is sent to the webhook. */
export const isGone = (verdict: WebhookVerdict): boolean => 'reason' in verdict && verdict.reason === 'gone';

/** Whether the webhook allows no further attempt; an event that blocks after fewer waits only for the webhook. */
export const isPastLast = ({ cursor, number }: Attempt): boolean =>
  number >= attemptsMax(cursor.subscription.webhook.retrySchedule);
