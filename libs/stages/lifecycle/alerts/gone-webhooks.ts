// Alerts the operator when a receiver says that it is gone, until its webhook is active again or deleted.
import type { Alerts as KnownAlerts } from '../../../domain/alert/alerts.ts';
import type { Listeners } from '../../../domain/listener/listeners.ts';
import type { Alerts } from '../../loop/reporting/alerts.ts';
import type { LifecycleDecided } from '../output-records.ts';

/** What is still gone is told of again this often: an alert that nobody raises runs out after a day. */
const repeatMs = 60 * 60_000;
/** Told of again at a time: fewer than may wait for the log. */
const repeatedMax = 50;

interface Known {
  readonly listeners: Pick<Listeners, 'webhooks'>;
  /** Those that were told of longest ago come first. */
  readonly alerts: KnownAlerts;
}

/** Raises the alerts of webhooks that are still gone again, now and then; returns how to stop. */
export function repeatGone(known: Known, alerts: Alerts): () => void {
  const timer = setInterval(() => raiseAgain(known, alerts), repeatMs).unref();
  return () => clearInterval(timer);
}

export function raiseAgain({ listeners, alerts: known }: Known, alerts: Alerts): void {
  const told = [...known.values()].filter(({ code, subject }) => code === 'webhook_gone' && isGone(listeners, subject));
  for (const { subject } of told.slice(0, repeatedMax)) raiseGone(alerts, subject);
}

/** To be called with what was decided before `listeners` has taken it in. */
export function tellOfGone(
  decided: readonly LifecycleDecided[],
  listeners: Pick<Listeners, 'webhooks'>,
  alerts: Alerts,
): void {
  for (const { type, data } of decided) {
    if (type === 'WebhookDisabled') raiseGone(alerts, data.webhookId);
    const isOver = type === 'WebhookDeleted' || (type === 'WebhookUpdated' && data.active === true);
    if (isOver && isGone(listeners, data.webhookId)) alerts.end('webhook_gone', data.webhookId);
  }
}

function isGone({ webhooks }: Pick<Listeners, 'webhooks'>, webhookId: string): boolean {
  const webhook = webhooks.get(webhookId);
  return webhook?.disabled === true && webhook.pausedAt === undefined;
}

function raiseGone(alerts: Alerts, webhookId: string): void {
  const what = `The receiver of webhook ${webhookId} answered 410: nothing is sent to it any more, and its events wait.`;
  alerts.raise(
    'webhook_gone',
    webhookId,
    `${what} Give it another url or make it active again, or delete the webhook.`,
  );
}
