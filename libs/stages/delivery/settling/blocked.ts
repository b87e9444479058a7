// Raises an alert while an event past its last retry blocks a subscription, and ends it when that continues.
import { attemptsMax } from '../../../domain/delivery/retry.ts';
import type { Alerts } from '../../loop/alerts/alerts.ts';
import type { HeldAlert } from '../../loop/alerts/held-alerts.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import type { SubscriptionTarget } from '../targets/target.ts';
import { holdBlocked } from '../records/delivery-alerts.ts';

/** An event on a cursor. */
interface Place {
  readonly cursor: SourceCursor;
  readonly event: { readonly offset: number };
}

/** What is known of a subscription. */
interface Known {
  /** Its events past their last retry: each source, order key and replay can have one. */
  readonly events: Set<string>;
  /** The alert; absent if none of them blocks. */
  alert?: HeldAlert | undefined;
}

export class Blocked {
  readonly #alerts: Pick<Alerts, 'hold' | 'end'>;
  readonly #bySubscription = new Map<SubscriptionTarget, Known>();

  constructor(alerts: Pick<Alerts, 'hold' | 'end'>) {
    this.#alerts = alerts;
  }

  /** Releases all alerts: another process follows the subscriptions from now on. */
  close(): void {
    for (const { alert } of this.#bySubscription.values()) alert?.release();
    this.#bySubscription.clear();
  }

  /** Call for each cursor after a restart. */
  restored(cursor: SourceCursor): void {
    const { webhook } = cursor.subscription;
    const blocks = webhook.ordered && webhook.blocks;
    const last = attemptsMax(webhook.retrySchedule);
    for (const { offset, attempts } of cursor.unfinished())
      // Also if the webhook no longer blocks: the alert can be live until the event is finished.
      if (attempts >= last) this.#add({ cursor, event: { offset } }, blocks);
  }

  begins(place: Place): void {
    const { subscription, replayId, stopped } = place.cursor;
    // The subscription was deleted, or its replay ended or paused, while the attempt was in flight.
    if (subscription.closed || (replayId !== undefined && stopped)) return;
    this.#add(place, true);
  }

  /** Call when an event is finished, given up, or has retries again. */
  ends(place: Place): void {
    const { subscription } = place.cursor;
    const known = this.#bySubscription.get(subscription);
    if (known?.events.delete(idOf(place)) === true && known.events.size === 0) this.#end(subscription, known);
  }

  /** Call when a replay is over: it blocks nothing any more. */
  left({ subscription, replayId }: SourceCursor): void {
    const known = this.#bySubscription.get(subscription);
    if (known === undefined) return;
    for (const id of known.events) if (id.endsWith(` ${replayId}`)) known.events.delete(id);
    if (known.events.size === 0) this.#end(subscription, known);
  }

  /** Call when a subscription is deleted. */
  closed(subscription: SubscriptionTarget): void {
    const known = this.#bySubscription.get(subscription);
    if (known !== undefined) this.#end(subscription, known);
  }

  #add(place: Place, blocks: boolean): void {
    const { subscription } = place.cursor;
    const known = this.#bySubscription.get(subscription) ?? { events: new Set<string>() };
    this.#bySubscription.set(subscription, known);
    known.events.add(idOf(place));
    if (blocks) known.alert ??= holdBlocked(this.#alerts, subscription.subscriptionId);
  }

  #end(subscription: SubscriptionTarget, { alert }: Known): void {
    this.#bySubscription.delete(subscription);
    if (alert === undefined) this.#alerts.end('delivery_blocked', subscription.subscriptionId);
    else alert.end();
  }
}

/** The event's id, from its offset. It includes the replay, which sends the same event again independently. */
const idOf = ({ cursor: { replayId }, event: { offset } }: Place): string =>
  replayId === undefined ? `${offset}` : `${offset} ${replayId}`;
