// Raises an alert while an event past its last retry blocks a subscription, and ends it when that continues.
import { attemptsMax } from '../../../domain/delivery/retry.ts';
import type { Alerts } from '../../loop/alerts/alerts.ts';
import type { HeldAlert } from '../../loop/alerts/held-alerts.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import type { SubscriptionTarget } from '../targets/target.ts';
import { holdBlocked } from '../records/delivery-alerts.ts';

/** An event on a cursor. */
interface EventOnCursor {
  readonly cursor: SourceCursor;
  readonly event: { readonly offset: number };
}

/** What is known of a subscription. */
interface BlockedState {
  /** Its events past their last retry: each source, order key and replay can have one. */
  readonly events: Set<string>;
  /** The alert; absent if none of them blocks. */
  alert?: HeldAlert | undefined;
}

export class BlockedAlerts {
  readonly #alerts: Pick<Alerts, 'hold' | 'end'>;
  readonly #bySubscription = new Map<SubscriptionTarget, BlockedState>();

  constructor(alerts: Pick<Alerts, 'hold' | 'end'>) {
    this.#alerts = alerts;
  }

  /** Releases all alerts: another process follows the subscriptions from now on. */
  close(): void {
    for (const { alert } of this.#bySubscription.values()) alert?.release();
    this.#bySubscription.clear();
  }

  /** Call for each cursor after a restart. */
  restore(cursor: SourceCursor): void {
    const { webhook } = cursor.subscription;
    const blocks = webhook.ordered && webhook.blocks;
    const lastAttempt = attemptsMax(webhook.retrySchedule);
    for (const { offset, attempts } of cursor.unfinished())
      // Also if the webhook no longer blocks: the alert can be live until the event is finished.
      if (attempts >= lastAttempt) this.#add({ cursor, event: { offset } }, blocks);
  }

  noteBlocking(blocking: EventOnCursor): void {
    const { subscription, replayId, stopped } = blocking.cursor;
    // The subscription was deleted, or its replay ended or paused, while the attempt was in flight.
    if (subscription.closed || (replayId !== undefined && stopped)) return;
    this.#add(blocking, true);
  }

  /** Call when an event is finished, given up, or has retries again. */
  noteEnded(blocking: EventOnCursor): void {
    const { subscription } = blocking.cursor;
    const state = this.#bySubscription.get(subscription);
    if (state?.events.delete(idOf(blocking)) === true && state.events.size === 0) this.#end(subscription, state);
  }

  /** Call when a replay is over: it blocks nothing any more. */
  noteReplayOver({ subscription, replayId }: SourceCursor): void {
    const state = this.#bySubscription.get(subscription);
    if (state === undefined) return;
    for (const id of state.events) if (id.endsWith(` ${replayId}`)) state.events.delete(id);
    if (state.events.size === 0) this.#end(subscription, state);
  }

  /** Call when a subscription is deleted. */
  noteDeleted(subscription: SubscriptionTarget): void {
    const state = this.#bySubscription.get(subscription);
    if (state !== undefined) this.#end(subscription, state);
  }

  #add(blocking: EventOnCursor, blocks: boolean): void {
    const { subscription } = blocking.cursor;
    const state = this.#bySubscription.get(subscription) ?? { events: new Set<string>() };
    this.#bySubscription.set(subscription, state);
    state.events.add(idOf(blocking));
    if (blocks) state.alert ??= holdBlocked(this.#alerts, subscription.subscriptionId);
  }

  #end(subscription: SubscriptionTarget, { alert }: BlockedState): void {
    this.#bySubscription.delete(subscription);
    if (alert === undefined) this.#alerts.end('delivery_blocked', subscription.subscriptionId);
    else alert.end();
  }
}

/** The event's id, from its offset. It includes the replay, which sends the same event again independently. */
const idOf = ({ cursor: { replayId }, event: { offset } }: EventOnCursor): string =>
  replayId === undefined ? `${offset}` : `${offset} ${replayId}`;
