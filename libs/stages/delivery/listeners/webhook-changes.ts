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
  readonly letGo: (cursor: SourceCursor) => void;
  /** Called when the cursor can send again. */
  readonly freed: (cursor: SourceCursor) => void;
}

export class WebhookChanges {
  readonly #options: WebhookChangesOptions;

  constructor(options: WebhookChangesOptions) {
    this.#options = options;
  }

  /** Applies settings that changed and webhooks that were deleted while the process followed none of them. */
  restored(): void {
    const { lanes, registry } = this.#options;
    for (const webhook of registry.webhooks) if (!webhook.isSource) lanes.allow(webhook);
    lanes.leaveIdle((webhookId) => !registry.isDefined(webhookId));
  }

  /** Stops sending. The webhook's cursors and waiting retries are kept; events wait on the log. */
  stop(webhook: WebhookTarget, isDeleted = false): void {
    const { letGo, outbox, replays } = this.#options;
    webhook.stopped = true;
    replays.stopped(webhook, isDeleted);
    for (const cursor of this.#cursorsTo(webhook)) {
      letGo(cursor);
      outbox.touch(cursor);
    }
  }

  stopped({ webhook, before }: Redefined, deleted: boolean): void {
    const { lanes } = this.#options;
    this.stop(webhook, deleted);
    if (deleted) return void lanes.leave(before);
    this.#takeOver({ webhook, before });
  }

  /** Continues sending. Retries that became due in the meantime are tried now, spread out in time. */
  started({ webhook, before }: Redefined): void {
    const { dispatcher, freed, replays } = this.#options;
    this.#takeOver({ webhook, before });
    for (const cursor of this.#cursorsTo(webhook)) freed(cursor);
    dispatcher.restart(this.#cursorsTo(webhook));
    replays.changed(webhook);
  }

  /** Applies new settings. A blocking event is tried again; without order, later events now overtake a failing one. */
  changed({ webhook, before }: Redefined): void {
    const { dispatcher, replays } = this.#options;
    this.#takeOver({ webhook, before });
    dispatcher.restart(this.#cursorsTo(webhook));
    replays.changed(webhook);
  }

  /** Moves waiting attempts to the new url: from now on no attempt goes to the former one. */
  #takeOver({ webhook, before }: Redefined): void {
    const { failing, lanes, outbox } = this.#options;
    if (webhook.url !== before.url) {
      lanes.move(before, webhook);
      failing.ended(webhook);
    }
    lanes.allow(webhook);
    if (before.ordered === webhook.ordered && before.orderKey === webhook.orderKey) return;
    for (const cursor of this.#cursorsTo(webhook)) {
      cursor.reorder(before.ordered);
      outbox.touch(cursor);
    }
  }

  *#cursorsTo(webhook: WebhookTarget): Generator<SourceCursor> {
    for (const subscription of this.#options.registry.to(webhook)) yield* cursorsOf(subscription);
  }
}
