// Applies changes in a webhook's definition: the url, the order, and whether anything is sent.
import type { SourceCursor } from '../cursors/source-cursor.ts';
import type { FailingWebhooks } from '../failing/failing-webhooks.ts';
import type { Outbox } from '../outbox.ts';
import type { Replays } from '../replays/replays.ts';
import type { Dispatcher } from '../sending/dispatcher.ts';
import type { Lanes } from '../lanes/lanes.ts';
import type { Redefined } from '../subscriptions/redefine.ts';
import type { Registry } from '../subscriptions/subscription-registry.ts';
import { cursorsOf } from '../subscriptions/subscription.ts';
import type { WebhookTarget } from '../targets/target.ts';

export interface WebhookChangesOptions {
  readonly registry: Registry;
  readonly lanes: Lanes;
  readonly failing: FailingWebhooks;
  readonly outbox: Outbox;
  readonly dispatcher: Dispatcher;
  readonly replays: Replays;
  /** Drops the cursor's events from memory, since nothing is sent for it. */
  readonly evict: (cursor: SourceCursor) => void;
  /** Called when the cursor can send again. */
  readonly onFreed: (cursor: SourceCursor) => void;
}

export class WebhookChanges {
  readonly #options: WebhookChangesOptions;

  constructor(options: WebhookChangesOptions) {
    this.#options = options;
  }

  /** Applies settings that changed and webhooks that were deleted while the process followed none of them. */
  applyRestored(): void {
    const { lanes, registry } = this.#options;
    for (const webhook of registry.webhooks) if (!webhook.isSource) lanes.setPolicy(webhook);
    lanes.endIdleLanes((webhookId) => !registry.isDefined(webhookId));
  }

  /** Stops sending. The webhook's cursors and waiting retries are kept; events wait on the log. */
  stop(webhook: WebhookTarget, isDeleted = false): void {
    const { evict, outbox, replays } = this.#options;
    webhook.stopped = true;
    replays.onStopped(webhook, isDeleted);
    for (const cursor of this.#cursorsTo(webhook)) {
      evict(cursor);
      outbox.touch(cursor);
    }
  }

  applyStop({ webhook, before }: Redefined, deleted: boolean): void {
    const { lanes } = this.#options;
    this.stop(webhook, deleted);
    if (deleted) return void lanes.endLane(before);
    this.#applySettings({ webhook, before });
  }

  /** Continues sending. Retries that became due in the meantime are tried now, spread out in time. */
  applyStart({ webhook, before }: Redefined): void {
    const { dispatcher, onFreed, replays } = this.#options;
    this.#applySettings({ webhook, before });
    for (const cursor of this.#cursorsTo(webhook)) onFreed(cursor);
    dispatcher.restartSuspended(this.#cursorsTo(webhook));
    replays.onChanged(webhook);
  }

  /** Applies new settings. A blocking event is tried again; without order, later events now overtake a failing one. */
  applyChange({ webhook, before }: Redefined): void {
    const { dispatcher, replays } = this.#options;
    this.#applySettings({ webhook, before });
    dispatcher.restartSuspended(this.#cursorsTo(webhook));
    replays.onChanged(webhook);
  }

  /** Moves waiting attempts to the new url: from now on no attempt goes to the former one. */
  #applySettings({ webhook, before }: Redefined): void {
    const { failing, lanes, outbox } = this.#options;
    if (webhook.url !== before.url) {
      lanes.moveWaiting(before, webhook);
      failing.clear(webhook);
    }
    lanes.setPolicy(webhook);
    if (before.ordered === webhook.ordered && before.orderKey === webhook.orderKey) return;
    for (const cursor of this.#cursorsTo(webhook)) {
      cursor.applyOrderChange(before.ordered);
      outbox.touch(cursor);
    }
  }

  *#cursorsTo(webhook: WebhookTarget): Generator<SourceCursor> {
    for (const subscription of this.#options.registry.subscriptionsOf(webhook)) yield* cursorsOf(subscription);
  }
}
