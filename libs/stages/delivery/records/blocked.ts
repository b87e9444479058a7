// Alerts the operator when an event past its last retry blocks a subscription, and ends the alert when it goes on.
import { attemptsMax } from '../../../domain/delivery/retry.ts';
import type { Alerts } from '../../loop/reporting/alerts.ts';
import type { EmitterCursor } from '../cursors/emitter-cursor.ts';
import type { SubscriptionTarget } from '../listeners/target.ts';
import type { Attempt } from './attempt-records.ts';
import { raiseBlocked } from './delivery-alerts.ts';

export class Blocked {
  readonly #alerts: Alerts;
  /** By subscription: a subscription to every source has a cursor for each. */
  readonly #cursors = new WeakMap<SubscriptionTarget, Set<EmitterCursor>>();

  constructor(alerts: Alerts) {
    this.#alerts = alerts;
  }

  begins({ cursor }: Attempt): void {
    const { subscription } = cursor;
    const blocked = this.#cursors.get(subscription) ?? new Set();
    this.#cursors.set(subscription, blocked.add(cursor));
    raiseBlocked(this.#alerts, subscription.subscriptionId);
  }

  /** To be called when an event is finished. */
  ends({ cursor, number }: Pick<Attempt, 'cursor' | 'number'>): void {
    const { subscriptionId, webhook } = cursor.subscription;
    // The event may have blocked since before a restart.
    const wasBlocked = webhook.blocks && number > attemptsMax(webhook.retrySchedule);
    const blocked = this.#cursors.get(cursor.subscription);
    const isOver = blocked?.delete(cursor) === true || wasBlocked;
    if (isOver && (blocked?.size ?? 0) === 0) this.#alerts.end('delivery_blocked', subscriptionId);
  }
}
