// Alerts the operator when an event past its last retry blocks a subscription, and ends the alert when it continues.
import { attemptsMax } from '../../../domain/delivery/retry.ts';
import type { Alerts } from '../../loop/reporting/alerts.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import type { SubscriptionTarget } from '../targets/target.ts';
import type { Attempt } from '../records/attempt-records.ts';
import { raiseBlocked } from '../records/delivery-alerts.ts';

export class Blocked {
  readonly #alerts: Alerts;
  /** The blocked events, by subscription: each of its sources may block, or each of their order keys. */
  readonly #events = new WeakMap<SubscriptionTarget, Set<string>>();
  /** Their alerts were ended in this process, and not raised since. */
  readonly #ended = new WeakSet<SubscriptionTarget>();

  constructor(alerts: Alerts) {
    this.#alerts = alerts;
  }

  begins(attempt: Attempt): void {
    const { subscription, replayId, stopped } = attempt.cursor;
    // It was deleted, or its replay ended or paused, while the attempt was in flight.
    if (subscription.closed || (replayId !== undefined && stopped)) return;
    const blocked = this.#events.get(subscription) ?? new Set();
    this.#events.set(subscription, blocked.add(idOf(attempt)));
    this.#ended.delete(subscription);
    raiseBlocked(this.#alerts, subscription.subscriptionId);
  }

  /** To be called when a subscription is gone, with its cursors. */
  closed(subscription: SubscriptionTarget, cursors: Iterable<SourceCursor>): void {
    const { subscriptionId, webhook } = subscription;
    // Events may have blocked since before a restart.
    if (this.#events.has(subscription) || hasSpent(cursors, attemptsMax(webhook.retrySchedule)))
      this.#alerts.end('delivery_blocked', subscriptionId);
  }

  /** To be called when a replay is over, with the other cursors of its subscription: it blocks nothing any more. */
  left(cursor: SourceCursor, others: Iterable<SourceCursor>): void {
    const { subscriptionId, webhook } = cursor.subscription;
    const blocked = this.#events.get(cursor.subscription) ?? new Set();
    const own = [...blocked].filter((id) => id.endsWith(` ${cursor.replayId}`));
    for (const id of own) blocked.delete(id);
    // Events may have blocked since before a restart.
    const block = (all: Iterable<SourceCursor>): boolean =>
      webhook.blocks && hasSpent(all, attemptsMax(webhook.retrySchedule));
    const isOver = own.length > 0 || block([cursor]);
    if (isOver && blocked.size === 0 && !block(others)) this.#alerts.end('delivery_blocked', subscriptionId);
  }

  /** To be called when an event is finished, or given up. */
  ends(attempt: Blocking & Pick<Attempt, 'number'>): void {
    const { cursor, number } = attempt;
    const { subscription } = cursor;
    const { subscriptionId, webhook } = subscription;
    // The event may have blocked since before a restart, also where its webhook no longer blocks.
    const wasBlocked = number > attemptsMax(webhook.retrySchedule) && !this.#ended.has(subscription);
    const blocked = this.#events.get(subscription);
    const isOver = blocked?.delete(idOf(attempt)) === true || wasBlocked;
    if (!isOver || (blocked?.size ?? 0) > 0) return;
    this.#ended.add(subscription);
    this.#alerts.end('delivery_blocked', subscriptionId);
  }
}

interface Blocking extends Pick<Attempt, 'cursor'> {
  readonly event: Pick<Attempt['event'], 'offset'>;
}

/** By its place on the log. A replay sends the same event again: it says nothing of the one that blocks. */
const idOf = ({ cursor: { replayId }, event: { offset } }: Blocking): string =>
  replayId === undefined ? `${offset}` : `${offset} ${replayId}`;

/** Whether an event of them has had all its attempts. */
function hasSpent(cursors: Iterable<SourceCursor>, last: number): boolean {
  for (const cursor of cursors) for (const { attempts } of cursor.unfinished()) if (attempts >= last) return true;
  return false;
}
