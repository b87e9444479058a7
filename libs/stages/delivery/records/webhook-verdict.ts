// Decides what follows from an attempt's outcome: delivered, retry or park.
import type { Ambient } from '../../../domain/ambient.ts';
import { judge } from '../../../domain/delivery/retry.ts';
import type { Verdict } from '../../../domain/delivery/retry.ts';
import type { WebhookOutcome } from '../../../webhooks/webhook.ts';
import { isSilence } from '../sending/reputation.ts';
import type { Attempt } from './attempt-records.ts';

const randomRange = 2 ** 32;

export function verdictOn(attempt: Attempt, outcome: WebhookOutcome, ambient: Pick<Ambient, 'randomBytes'>): Verdict {
  if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299) return { kind: 'delivered' };
  const random = ambient.randomBytes(4).readUInt32BE() / randomRange;
  const result =
    outcome.kind === 'answered'
      ? { status: outcome.status, timedOut: false, retryAfterSeconds: outcome.retryAfterSeconds }
      : { status: null, timedOut: isSilence(outcome.failure) };
  return judge({ attempt: attempt.number, ...result }, attempt.cursor.subscription.webhook.retrySchedule, random);
}
