// Takes the records that delivery reads in one partition: events, keys, definitions, requests and retention.
import type { Reads, TopicName } from '../../../domain/flow.ts';
import type { RecordOn, RecordsOn } from '../../../domain/messages-of.ts';
import { positionKey } from '../../../log/log.ts';
import { checkKeys } from '../../loop/alerts/closed-keys.ts';
import { areFromTopic } from '../../loop/reading/page-topic.ts';
import type { MalformedRecord } from '../../loop/reading/unusable.ts';
import type { TaskOptions } from '../delivery-options.ts';
import { subscriptionTombstones } from '../records/cursor-records.ts';
import type { ListenerChange } from '../subscriptions/subscription-registry.ts';
import { cursorsOf, type Subscription } from '../subscriptions/subscription.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import { TailEvents } from './tail-events.ts';

export class DeliveryInputs {
  readonly #options: Pick<TaskOptions, 'context' | 'failing' | 'retryQuota'>;
  readonly #parts: DeliveryParts;
  readonly #tailEvents: TailEvents;

  constructor(options: Pick<TaskOptions, 'context' | 'failing' | 'retryQuota'>, parts: DeliveryParts) {
    this.#options = options;
    this.#parts = parts;
    this.#tailEvents = new TailEvents(options.context, parts);
  }

  handle(records: RecordsOn<Reads<'delivery'>>, next: number): Promise<void> | void {
    const { filterChanges, expiry, requests } = this.#parts;
    if (areFromTopic('channels', records))
      return filterChanges.whenFiltersKnown(records, () => this.#tailEvents.take(records, next));
    if (areFromTopic('keys', records)) this.#takeKeys(records, next);
    else if (areFromTopic('retention', records)) expiry.take(records, next);
    else if (areFromTopic('requests', records)) requests.handle(records, next);
    else this.#takeListeners(records, next);
  }

  /** Skips a malformed record: no sender waits for its outcome. */
  skipMalformed({ topic, partition }: MalformedRecord, next: number): void {
    if (topic === 'channels') this.#parts.tailAt = next;
    this.#advance({ topic, partition }, next);
  }

  #takeKeys(records: readonly RecordOn<'keys'>[], next: number): void {
    const { keyring, outbox, dispatcher } = this.#parts;
    for (const record of records) keyring.tryAccept(record);
    checkKeys(keyring, this.#options.context.alerts);
    outbox.advancePosition(positionKey('keys', 0), next);
    dispatcher.release();
  }

  #takeListeners(records: RecordsOn<'webhooks' | 'subscriptions'>, next: number): void {
    for (const record of records) {
      this.#options.context.tolerate(record, () => {
        const change = this.#parts.registry.apply(record);
        if (change !== undefined) this.#applyChange(change, record);
      });
    }
    const [first] = records;
    if (first !== undefined) this.#advance(first, next);
  }

  #advance({ topic, partition }: { readonly topic: TopicName; readonly partition: number }, next: number): void {
    const { filterChanges, openings, requests, outbox } = this.#parts;
    if (topic === 'subscriptions') for (const one of [filterChanges, openings]) one.advanceTo(next);
    else if (topic === 'requests') requests.skipMalformed(next);
    else outbox.advancePosition(positionKey(topic, partition), next);
  }

  #applyChange(change: ListenerChange, cause: RecordOn): void {
    const { openings, replays, webhooks } = this.#parts;
    switch (change.kind) {
      case 'opened':
        openings.open(change.subscription);
        return replays.onOpened(change.subscription);
      case 'closed':
        return this.#close(change.subscription, cause);
      case 'started':
        return webhooks.applyStart(change);
      case 'changed':
        return webhooks.applyChange(change);
      case 'stopped':
        return webhooks.applyStop(change, change.deleted);
    }
  }

  #close(subscription: Subscription, cause: RecordOn): void {
    const { context, failing, retryQuota } = this.#options;
    const { blocked, sources, replays, outbox } = this.#parts;
    blocked.noteDeleted(subscription);
    for (const cursor of cursorsOf(subscription)) {
      this.#parts.evict(cursor);
      failing.removeCursor(cursor);
      retryQuota.leave(cursor);
    }
    sources.forget(subscription.subscriptionId);
    replays.onClosed(subscription);
    outbox.writeCursors(subscriptionTombstones(subscription, context.partition, cause));
  }
}
