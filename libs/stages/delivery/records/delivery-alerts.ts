// The alerts that delivery raises about webhooks and subscriptions, each with what to do.
import type { Alerts } from '../../loop/alerts/alerts.ts';
import type { HeldAlert } from '../../loop/alerts/held-alerts.ts';

export function raiseClosedKey(alerts: Alerts, webhookId: string): void {
  const what = `The signing key of webhook ${webhookId} does not open: nothing is delivered to it.`;
  alerts.raise(
    'seal_does_not_open',
    webhookId,
    `${what} Give it a new signing key with overlap_seconds 0, or delete it and create it again.`,
  );
}

export function raiseEventsExpired(alerts: Alerts, subscriptionId: string): void {
  const what = `Events for subscription ${subscriptionId} were dropped before they were delivered: they are older than what is kept.`;
  alerts.raise('events_expired', subscriptionId, `${what} Repair its receiver, or raise RETENTION_DAYS.`);
}

export function raiseRetriesParked(alerts: Alerts, subscriptionId: string): void {
  const what = `Too many deliveries of subscription ${subscriptionId} wait for a retry: the oldest are parked.`;
  alerts.raise('retries_parked', subscriptionId, `${what} Repair its receiver, or shorten its retry_schedule.`);
}

export function holdBlocked(alerts: Pick<Alerts, 'hold'>, subscriptionId: string): HeldAlert {
  const what = `An event of subscription ${subscriptionId} has failed at every attempt: those behind it wait.`;
  const then = 'Repair its receiver, then resume or update the webhook; or delete the subscription.';
  return alerts.hold({ code: 'delivery_blocked', subject: subscriptionId, say: () => `${what} ${then}` });
}
