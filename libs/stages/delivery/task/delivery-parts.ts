// Creates the parts of delivery in one partition, and informs them of changes of cursors.
import type { RetentionMoved } from '../../../domain/retention/messages.ts';
import type { Keyring } from '../../../domain/workspace/keyring.ts';
import { DeliveryRequests } from '../requests/delivery-requests.ts';
import { FilterChanges } from '../changes/filter-changes.ts';
import { LineReads } from '../cursors/by-key/line-reads.ts';
import type { SubscriptionCursor } from '../cursors/by-key/subscription-cursor.ts';
import { CatchUp } from '../cursors/catch-up.ts';
import { Pressure } from '../cursors/pressure.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import { Deletions, type DeletionFact } from '../deletions/deletions.ts';
import type { TaskOptions } from '../delivery-options.ts';
import { reread, type EventBuffer } from '../events/buffer.ts';
import type { Owner } from '../failing/failing-webhooks.ts';
import { SourceIndex } from '../indexing/source-index.ts';
import { Openings } from '../listeners/openings.ts';
import { WebhookChanges } from '../listeners/webhook-changes.ts';
import { Outbox } from '../outbox.ts';
import { raiseClosedKey } from '../records/delivery-alerts.ts';
import { Replays } from '../replays/replays.ts';
import type { Restored } from '../restoring/restore-cursors.ts';
import { Expiry } from '../retention/expiry.ts';
import { Dispatcher } from '../sending/dispatcher.ts';
import { Overflow } from '../sending/overflow.ts';
import { BlockedAlerts } from '../settling/blocked-alerts.ts';
import { SourceFeeder } from '../sources/source-feeder.ts';
import type { Registry } from '../subscriptions/subscription-registry.ts';
import { cursorsOf, type Subscription } from '../subscriptions/subscription.ts';
import { Sender } from '../transforms/sender.ts';

export class DeliveryParts {
  readonly #options: TaskOptions;
  readonly registry: Registry;
  readonly keyring: Keyring;
  readonly buffer: EventBuffer;
  /** The offset on `channels` that the tail has reached. */
  tailAt: number;
  readonly outbox: Outbox;
  readonly blocked: BlockedAlerts;
  readonly index: SourceIndex;
  readonly filterChanges: FilterChanges;
  readonly deletions: Deletions;
  readonly openings: Openings;
  readonly sources: SourceFeeder;
  readonly dispatcher: Dispatcher;
  readonly replays: Replays;
  readonly webhooks: WebhookChanges;
  readonly requests: DeliveryRequests;
  readonly overflow: Overflow;
  readonly catchUp: CatchUp;
  readonly pressure: Pressure;
  readonly expiry: Expiry;

  /** `fact`: the newest on `retention`. */
  constructor(options: TaskOptions, restored: Restored, buffer: EventBuffer, fact: RetentionMoved | undefined) {
    const { context, limits, ambient, readSlots } = options;
    const { log, partition, alerts } = context;
    const { registry, keyring } = restored;
    this.#options = options;
    this.registry = registry;
    this.keyring = keyring;
    this.buffer = buffer;
    this.tailAt = restored.next.channels;
    const ready = (): void => context.ready();
    const outbox = (this.outbox = new Outbox({ partition, partitions: log.partitions, ambient, limits, ready }));
    const blocked = (this.blocked = new BlockedAlerts(alerts));
    // These callbacks use parts that are created later: none is called before all parts exist.
    const shared = {
      ...options,
      registry,
      keyring,
      buffer,
      outbox,
      blocked,
      tailAt: () => this.tailAt,
      cursors: () => this.cursors(),
      read: (cursor: SourceCursor): void => this.catchUp.readNow(cursor),
      onAdvanced: (cursor: SourceCursor): void => this.#onAdvanced(cursor),
      onFreed: (cursor: SourceCursor): void => this.#onFreed(cursor),
      fail: (error: Error): void => context.fail(error),
    };
    const index = (this.index = new SourceIndex(shared, restored.segments));
    this.filterChanges = new FilterChanges(shared, restored.next.subscriptions);
    const deletions = (this.deletions = new Deletions(shared, restored.deletions));
    const deleted = (one: DeletionFact): void => deletions.addFact(one);
    const deps = { ...shared, sourceRecords: index.reader, deletions, deleted };
    this.openings = new Openings({ ...deps, onOpened: (subscription) => this.#continueSubscription(subscription) });
    const sources = (this.sources = new SourceFeeder({ ...deps, isFull: (sourceId) => isFull(sourceId, options) }));
    const dispatcher = (this.dispatcher = new Dispatcher({
      ...deps,
      sources,
      sender: new Sender(options.webhook, options.transformer),
      reread: ({ subscription }, offset) => readSlots.run(() => reread(context, offset), subscription.workspace),
      ownerOf: (cursor) => this.#ownerOf(cursor),
      stop: (webhook) => this.webhooks.stop(webhook),
      onClosedKey: ({ webhookId }) => raiseClosedKey(alerts, webhookId),
    }));
    const replays = (this.replays = new Replays({ ...deps, dispatcher }, restored.replays));
    this.webhooks = new WebhookChanges({ ...deps, dispatcher, replays, evict: (cursor) => this.evict(cursor) });
    this.requests = new DeliveryRequests({ ...deps, dispatcher }, replays);
    this.overflow = new Overflow(deps);
    const lines = new LineReads({ ...deps, fed: (cursor) => this.#fed(cursor, true) });
    this.catchUp = new CatchUp({ ...deps, log, partition, lines, fed: (cursor, passed) => this.#fed(cursor, passed) });
    this.pressure = new Pressure({
      ...deps,
      pause: () => context.pause('channels', partition),
      resume: () => context.resume('channels', partition),
      onFellBehind: (cursor) => dispatcher.enqueue(cursor),
    });
    this.expiry = new Expiry(deps, fact);
  }

  *cursors(): Generator<SubscriptionCursor> {
    for (const subscription of this.registry.subscriptions) yield* cursorsOf(subscription);
  }

  /** Starts nothing new; the dispatcher's attempts in flight continue. */
  close(): void {
    const toClose = [this.pressure, this.expiry, this.index, this.deletions, this.openings, this.requests];
    for (const one of [...toClose, this.catchUp, this.overflow, this.blocked, this.filterChanges]) one.close();
    this.sources.stop();
  }

  /** Continues with a cursor after a restart, or once the first events of its subscription were found. */
  continueCursor(cursor: SourceCursor): void {
    const { lanes, failing } = this.#options;
    const { webhook, opening } = cursor.subscription;
    if (opening) return;
    failing.restore(cursor, this.#ownerOf(cursor));
    this.blocked.restore(cursor);
    if (cursor.hasAnswered && !webhook.stopped && !webhook.isSource) lanes.presumeAnswering(lanes.laneOf(webhook));
    this.overflow.check(cursor);
    this.dispatcher.resume(cursor);
  }

  /** Drops the cursor's events from memory: nothing is sent for it. */
  evict(cursor: SourceCursor): void {
    cursor.fallBehind();
    this.pressure.noteShrink(cursor);
  }

  /** The first events of the subscription were found: its cursors continue. */
  #continueSubscription(subscription: Subscription): void {
    for (const cursor of cursorsOf(subscription)) this.continueCursor(cursor);
    this.replays.onFirstEventsFound(subscription);
  }

  /** The cursor holds fewer events, or can continue. */
  #onAdvanced(cursor: SourceCursor): void {
    this.pressure.noteShrink(cursor);
    this.catchUp.requestRead(cursor);
    this.overflow.check(cursor);
    this.replays.check(cursor);
  }

  /** The cursor no longer waits. */
  #onFreed(cursor: SourceCursor): void {
    this.#onAdvanced(cursor);
    this.dispatcher.enqueue(cursor);
  }

  /** The cursor got events from the log, has passed over some (`passed`), or has joined the tail. */
  #fed(cursor: SourceCursor, passed: boolean): void {
    // Without a new record on the log, the cursor would read from the old offset after every restart.
    if (passed || cursor.readFrom === null) this.outbox.touch(cursor);
    this.dispatcher.enqueue(cursor);
    this.replays.check(cursor);
  }

  #ownerOf(cursor: SourceCursor): Owner {
    return { alerts: this.#options.context.alerts, touch: () => this.outbox.touch(cursor) };
  }
}

/** Whether the source's queue is full; starts to listen for full sources at the first call. */
function isFull(sourceId: string, { fullSources, context }: TaskOptions): boolean {
  fullSources.listen(context.log);
  return fullSources.has(sourceId);
}
