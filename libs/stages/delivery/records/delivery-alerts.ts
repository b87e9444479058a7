// The alerts that delivery raises about webhooks and subscriptions, each with what to do.
import { alertKey } from '../../../domain/alert/alerts.ts';
import type { Ambient } from '../../../domain/ambient.ts';
import { idBytes, idFromBytes } from '../../../domain/id.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';
import type { Alerts } from '../../loop/alerts/alerts.ts';
import type { HeldAlert } from '../../loop/alerts/held-alerts.ts';
import type { RaiseAlert } from '../outcomes/completion-records.ts';

export function raiseClosedKey(alerts: Alerts, webhookId: string): void {
  const what = `The signing key of webhook ${webhookId} does not open: nothing is delivered to it.`;
  alerts.raise(
    'seal_does_not_open',
    webhookId,
    `${what} Give it a new signing key with overlap_seconds 0, or delete it and create it again.`,
  );
}

/** Put it into the append that counts these events: a kill between two appends would lose the alert. */
export function eventsExpired(subscriptionId: string, ambient: Ambient): RaiseAlert {
  const what = `Events for subscription ${subscriptionId} were dropped before they were delivered: they are older than what is kept.`;
  const message = `${what} Repair its receiver, or raise RETENTION_DAYS.`;
  return raiseAlert({ code: 'events_expired', subject: subscriptionId, message }, ambient);
}

/** Put it into the append that parks the first of the retries, as with `eventsExpired`. */
export function retriesParked(subscriptionId: string, ambient: Ambient): RaiseAlert {
  const what = `Too many deliveries of subscription ${subscriptionId} wait for a retry: the oldest are parked.`;
  const message = `${what} Repair its receiver, or shorten its retry_schedule.`;
  return raiseAlert({ code: 'retries_parked', subject: subscriptionId, message }, ambient);
}

function raiseAlert(data: RaiseAlert['data'], ambient: Ambient): RaiseAlert {
  const id = idFromBytes('cmd', ambient.randomBytes(idBytes));
  const envelope = { id, version: 1, key: alertKey(data), at: ambient.now(), workspace: '' };
  return { ...envelope, ...chainFrom(id, 'delivery'), type: 'RaiseAlert', data };
}

export function holdBlocked(alerts: Pick<Alerts, 'hold'>, subscriptionId: string): HeldAlert {
  const what = `An event of subscription ${subscriptionId} has failed at every attempt: those behind it wait.`;
  const then = 'Repair its receiver, then resume or update the webhook; or delete the subscription.';
  return alerts.hold({ code: 'delivery_blocked', subject: subscriptionId, describe: () => `${what} ${then}` });
}
