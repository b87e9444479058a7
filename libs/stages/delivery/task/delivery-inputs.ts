// Takes the records that delivery reads in one partition: events, keys, definitions, requests and retention.
import type { Reads, TopicName } from '../../../domain/flow.ts';
import type { RecordOn, RecordsOn } from '../../../domain/messages-of.ts';
import { positionKey } from '../../../log/log.ts';
import { checkKeys } from '../../loop/alerts/closed-keys.ts';
import { areOf } from '../../loop/reading/page-of.ts';
import type { MalformedRecord } from '../../loop/reading/unusable.ts';
import type { TaskOptions } from '../delivery-options.ts';
import { cursorsClosed } from '../records/cursor-records.ts';
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

  take(records: RecordsOn<Reads<'delivery'>>, next: number): Promise<void> | void {
    const { filterChanges, expiry, requests } = this.#parts;
    if (areOf('channels', records)) return filterChanges.ahead(records, () => this.#tailEvents.take(records, next));
    if (areOf('keys', records)) this.#takeKeys(records, next);
    else if (areOf('retention', records)) expiry.take(records, next);
    else if (areOf('requests', records)) requests.take(records, next);
    else this.#takeListeners(records, next);
  }

  /** Skips a malformed record: no sender waits for its outcome. */
  pass({ topic, partition }: MalformedRecord, next: number): void {
    if (topic === 'channels') this.#parts.tailAt = next;
    this.#moved({ topic, partition }, next);
  }

  #takeKeys(records: readonly RecordOn<'keys'>[], next: number): void {
    const { keyring, outbox, dispatcher } = this.#parts;
    for (const record of records) keyring.take(record);
    checkKeys(keyring, this.#options.context.alerts);
    outbox.moved(positionKey('keys', 0), next);
    dispatcher.release();
  }

  #takeListeners(records: RecordsOn<'webhooks' | 'subscriptions'>, next: number): void {
    for (const record of records) {
      this.#options.context.tolerate(record, () => {
        const change = this.#parts.registry.apply(record);
        if (change !== undefined) this.#change(change, record);
      });
    }
    const [first] = records;
    if (first !== undefined) this.#moved(first, next);
  }

  #moved({ topic, partition }: { readonly topic: TopicName; readonly partition: number }, next: number): void {
    const { filterChanges, openings, requests, outbox } = this.#parts;
    if (topic === 'subscriptions') for (const one of [filterChanges, openings]) one.moved(next);
    else if (topic === 'requests') requests.pass(next);
    else outbox.moved(positionKey(topic, partition), next);
  }

  #change(change: ListenerChange, cause: RecordOn): void {
    const { openings, replays, webhooks } = this.#parts;
    switch (change.kind) {
      case 'opened':
        openings.open(change.subscription);
        return replays.opened(change.subscription);
      case 'closed':
        return this.#close(change.subscription, cause);
      case 'started':
        return webhooks.started(change);
      case 'changed':
        return webhooks.changed(change);
      case 'stopped':
        return webhooks.stopped(change, change.deleted);
    }
  }

  #close(subscription: Subscription, cause: RecordOn): void {
    const { context, failing, retryQuota } = this.#options;
    const { blocked, sources, replays, outbox } = this.#parts;
    blocked.closed(subscription);
    for (const cursor of cursorsOf(subscription)) {
      this.#parts.letGo(cursor);
      failing.closed(cursor);
      retryQuota.leave(cursor);
    }
    sources.forget(subscription.subscriptionId);
    replays.closed(subscription);
    outbox.writeCursors(cursorsClosed(subscription, context.partition, cause));
  }
}
