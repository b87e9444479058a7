// Alerts the operator when a receiver says that it is gone, until its webhook is active again or deleted.
import type { Listeners } from '../../../domain/listener/listeners.ts';
import type { Alerts } from '../../loop/reporting/alerts.ts';
import type { LifecycleDecided } from '../output-records.ts';

/** To be called with what was decided before `listeners` has taken it in. */
export function tellOfGone(
  decided: readonly LifecycleDecided[],
  { webhooks }: Pick<Listeners, 'webhooks'>,
  alerts: Alerts,
): void {
  const isGone = (webhookId: string): boolean => {
    const webhook = webhooks.get(webhookId);
    return webhook?.disabled === true && webhook.pausedAt === undefined;
  };
  for (const { type, data } of decided) {
    if (type === 'WebhookDisabled') raiseGone(alerts, data.webhookId);
    const isOver = type === 'WebhookDeleted' || (type === 'WebhookUpdated' && data.active === true);
    if (isOver && isGone(data.webhookId)) alerts.end('webhook_gone', data.webhookId);
  }
}

function raiseGone(alerts: Alerts, webhookId: string): void {
  const what = `The receiver of webhook ${webhookId} answered 410: nothing is sent to it any more, and its events wait.`;
  alerts.raise(
    'webhook_gone',
    webhookId,
    `${what} Give it another url or make it active again, or delete the webhook.`,
  );
}
