// Alerts the operator about webhooks whose receiver answered 410, until they are active again or deleted.
import type { Listeners } from '../../../domain/listener/listeners.ts';
import type { Alerts } from '../../loop/alerts/alerts.ts';
import type { HeldAlert } from '../../loop/alerts/held-alerts.ts';
import type { LifecycleDecided } from '../output-records.ts';

export class GoneWebhooks {
  readonly #alerts: Pick<Alerts, 'hold'>;
  /** The running alerts by webhook id. */
  readonly #held = new Map<string, HeldAlert>();

  constructor({ webhooks }: Pick<Listeners, 'webhooks'>, alerts: Pick<Alerts, 'hold'>) {
    this.#alerts = alerts;
    for (const [webhookId, { disabled, pausedAt }] of webhooks)
      if (disabled && pausedAt === undefined) this.#hold(webhookId);
  }

  /** Starts and ends alerts as the decided events require. */
  take(decided: readonly LifecycleDecided[]): void {
    for (const { type, data } of decided) {
      if (type === 'WebhookDisabled') this.#hold(data.webhookId);
      const isOver = type === 'WebhookDeleted' || (type === 'WebhookUpdated' && data.active === true);
      if (!isOver) continue;
      this.#held.get(data.webhookId)?.end();
      this.#held.delete(data.webhookId);
    }
  }

  /** Leaves the running alerts to the next owner, without ending them. */
  close(): void {
    for (const held of this.#held.values()) held.release();
    this.#held.clear();
  }

  #hold(webhookId: string): void {
    if (this.#held.has(webhookId)) return;
    const what = `The receiver of webhook ${webhookId} answered 410: nothing is sent to it any more, and its events wait.`;
    const say = () => `${what} Give it another url or make it active again, or delete the webhook.`;
    this.#held.set(webhookId, this.#alerts.hold({ code: 'webhook_gone', subject: webhookId, say }));
  }
}
