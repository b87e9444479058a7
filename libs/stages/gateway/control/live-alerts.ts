// Keeps the live alerts from the topic `alerts`, for GET /health.
import { alertKey, evolveAlerts, isAlertExpired, noAlerts } from '../../../domain/alert/alerts.ts';
import type { LiveAlert } from '../../../domain/alert/alerts.ts';
import type { FollowedTopic } from '../../../domain/flow.ts';
import type { Millis } from '../../../domain/message.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { Follower } from './control-tail.ts';

/** Alerts in one answer. */
const shownMax = 100;

export class LiveAlerts implements Follower {
  readonly #alerts = noAlerts();

  accept(record: RecordOn<FollowedTopic>): void {
    if (record.topic === 'alerts') evolveAlerts(this.#alerts, record);
  }

  /** Since when every attempt to the webhook has failed; null: no alert reports it. */
  failingSince(webhookId: string, now: Millis): Millis | null {
    const alert = this.#alerts.get(alertKey({ code: 'webhook_failing', subject: webhookId }));
    return alert === undefined || isAlertExpired(alert, now) ? null : alert.since;
  }

  /** The live alerts, newest first. An expired alert is not live, even before its end is on the log. */
  liveAt(now: Millis): readonly LiveAlert[] {
    const live = [...this.#alerts.values()].filter((alert) => !isAlertExpired(alert, now));
    return live.toSorted((a, b) => b.since - a.since).slice(0, shownMax);
  }
}
