// Alerts the operator while an event past its last retry blocks a subscription, and ends the alert when it continues.
import { attemptsMax } from '../../../domain/delivery/retry.ts';
import type { Alerts } from '../../loop/reporting/alerts.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import type { SubscriptionTarget } from '../targets/target.ts';
import type { Attempt } from '../records/attempt-records.ts';
import { raiseBlocked } from '../records/delivery-alerts.ts';

/** What still blocks is told of again this often: an alert that nobody raises runs out after a day. */
const repeatMs = 60 * 60_000;
/** Told of again at a time: fewer than may wait for the log. */
const repeatedMax = 50;

/** Where a blocking event is. */
interface Place {
  readonly cursor: SourceCursor;
  readonly offset: number;
}

export class Blocked {
  readonly #alerts: Alerts;
  /** The blocked events, by subscription: each of its sources may block, or each of their order keys. */
  readonly #events = new Map<SubscriptionTarget, Map<string, Place>>();
  /** Their alerts were ended in this process, and not raised since. */
  readonly #ended = new WeakSet<SubscriptionTarget>();

  readonly #timer: NodeJS.Timeout;

  constructor(alerts: Alerts) {
    this.#alerts = alerts;
    this.#timer = setInterval(() => this.repeat(), repeatMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#events.clear();
  }

  /** Raises the alerts of what still blocks again, and ends those of events that retention has taken. */
  repeat(): void {
    for (const [subscription, events] of [...this.#events].slice(0, repeatedMax)) {
      for (const [id, { cursor, offset }] of events) if (cursor.attemptsAt(offset) === undefined) events.delete(id);
      // The last come first next time.
      this.#events.delete(subscription);
      if (events.size === 0) this.#alerts.end('delivery_blocked', subscription.subscriptionId);
      else {
        this.#events.set(subscription, events);
        raiseBlocked(this.#alerts, subscription.subscriptionId);
      }
    }
  }

  begins(attempt: Attempt): void {
    const { cursor, event } = attempt;
    const { subscription, replayId, stopped } = cursor;
    // It was deleted, or its replay ended or paused, while the attempt was in flight.
    if (subscription.closed || (replayId !== undefined && stopped)) return;
    const blocked = this.#events.get(subscription) ?? new Map<string, Place>();
    this.#events.set(subscription, blocked.set(idOf(attempt), { cursor, offset: event.offset }));
    this.#ended.delete(subscription);
    raiseBlocked(this.#alerts, subscription.subscriptionId);
  }

  /** To be called when a subscription is gone, with its cursors. */
  closed(subscription: SubscriptionTarget, cursors: Iterable<SourceCursor>): void {
    const { subscriptionId, webhook } = subscription;
    // Events may have blocked since before a restart.
    if (this.#events.has(subscription) || hasSpent(cursors, attemptsMax(webhook.retrySchedule)))
      this.#alerts.end('delivery_blocked', subscriptionId);
    this.#events.delete(subscription);
  }

  /** To be called when a replay is over, with the other cursors of its subscription: it blocks nothing any more. */
  left(cursor: SourceCursor, others: Iterable<SourceCursor>): void {
    const { subscriptionId, webhook } = cursor.subscription;
    const blocked = this.#events.get(cursor.subscription) ?? new Map<string, Place>();
    const own = [...blocked.keys()].filter((id) => id.endsWith(` ${cursor.replayId}`));
    for (const id of own) blocked.delete(id);
    if (blocked.size === 0) this.#events.delete(cursor.subscription);
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
    this.#events.delete(subscription);
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
