// Alerts the operator about webhooks whose receiver answered 410, until they are active again or deleted.
import type { Listeners } from '../../../domain/listener/listeners.ts';
import type { Alerts } from '../../loop/alerts/alerts.ts';
import type { HeldAlert } from '../../loop/alerts/held-alerts.ts';
import type { LifecycleDecided } from '../output-records.ts';

export class GoneWebhookAlerts {
  readonly #alerts: Pick<Alerts, 'hold'>;
  /** The running alerts by webhook id. */
  readonly #alertsById = new Map<string, HeldAlert>();

  constructor({ webhooks }: Pick<Listeners, 'webhooks'>, alerts: Pick<Alerts, 'hold'>) {
    this.#alerts = alerts;
    for (const [webhookId, { disabled, pausedAt }] of webhooks)
      if (disabled && pausedAt === undefined) this.#startAlert(webhookId);
  }

  /** Starts and ends alerts as the decided events require. */
  apply(decided: readonly LifecycleDecided[]): void {
    for (const { type, data } of decided) {
      if (type === 'WebhookDisabled') this.#startAlert(data.webhookId);
      const endsAlert = type === 'WebhookDeleted' || (type === 'WebhookUpdated' && data.active === true);
      if (!endsAlert) continue;
      this.#alertsById.get(data.webhookId)?.end();
      this.#alertsById.delete(data.webhookId);
    }
  }

  /** Leaves the running alerts to the next owner, without ending them. */
  close(): void {
    for (const alert of this.#alertsById.values()) alert.release();
    this.#alertsById.clear();
  }

  #startAlert(webhookId: string): void {
    if (this.#alertsById.has(webhookId)) return;
    const what = `The receiver of webhook ${webhookId} answered 410: nothing is sent to it any more, and its events wait.`;
    const say = () => `${what} Give it another url or make it active again, or delete the webhook.`;
    this.#alertsById.set(webhookId, this.#alerts.hold({ code: 'webhook_gone', subject: webhookId, describe: say }));
  }
}
