// Delivery in one partition: takes in listeners, keys and events, and puts out attempts and cursors.
import type { Appends, Reads, TopicName } from '../../domain/flow.ts';
import type { RecordOn, RecordsOn } from '../../domain/messages-of.ts';
import type { RetentionMoved } from '../../domain/retention/messages.ts';
import { positionKey, type Position } from '../../log/log.ts';
import { areOf } from '../loop/reading/page-of.ts';
import type { MalformedRecord } from '../loop/reading/unusable.ts';
import { checkKeys } from '../loop/alerts/closed-keys.ts';
import { newestRetention } from '../loop/retention.ts';
import type { Output, StageTask } from '../loop/stage.ts';
import { DeliveryRequests } from './asked/delivery-requests.ts';
import { bufferedEvent, EventBuffer, type BufferedEvent, type EmittedRecord } from './events/buffer.ts';
import type { CatchUp } from './cursors/catch-up.ts';
import type { SourceCursor } from './cursors/source-cursor.ts';
import { Deletions, type DeletionFact } from './deletions/deletions.ts';
import { FilterChanges } from './changes/filter-changes.ts';
import { SourceIndex } from './indexing/source-index.ts';
import { isFilteredOut } from './filters/subscription-filters.ts';
import { cursorOf } from './subscriptions/cursor-of.ts';
import { Openings } from './listeners/openings.ts';
import type { Pressure } from './cursors/pressure.ts';
import { catchUpOf, pressureOf } from './cursors/wiring.ts';
import type { ListenerChange, Registry } from './subscriptions/subscription-registry.ts';
import { cursorsOf, type Subscription } from './subscriptions/subscription.ts';
import { WebhookChanges } from './listeners/webhook-changes.ts';
import type { TaskOptions } from './delivery-options.ts';
import type { SubscriptionCursor } from './cursors/by-key/subscription-cursor.ts';
import { Outbox } from './outbox.ts';
import type { Owner } from './failing/failing-webhooks.ts';
import { Blocked } from './settling/blocked.ts';
import { cursorsClosed } from './records/cursor-records.ts';
import { restore, startOf, type Restored } from './restoring/restore-cursors.ts';
import { Replays } from './replays/replays.ts';
import { Expiry } from './retention/expiry.ts';
import { dispatcherOf } from './sending/dispatcher-of.ts';
import type { Dispatcher } from './sending/dispatcher.ts';
import { Overflow } from './sending/overflow.ts';
import { feederOf } from './sources/feeder-of.ts';
import type { Feeder } from './sources/feeder.ts';
import type { WebhookTarget } from './targets/target.ts';

export class DeliveryTask implements StageTask<Reads<'delivery'>, Appends<'delivery'>> {
  readonly start: readonly Position<Reads<'delivery'>>[];
  readonly #options: TaskOptions;
  readonly #registry: Registry;
  readonly #restored: Restored;
  readonly #buffer: EventBuffer;
  readonly #outbox: Outbox;
  readonly #blocked: Blocked;
  readonly #ownerOf: (cursor: SourceCursor) => Owner;
  readonly #dispatcher: Dispatcher;
  readonly #sources: Feeder;
  readonly #overflow: Overflow;
  readonly #catchUp: CatchUp;
  readonly #pressure: Pressure;
  readonly #expiry: Expiry;
  readonly #deletions: Deletions;
  readonly #webhooks: WebhookChanges;
  readonly #openings: Openings;
  readonly #replays: Replays;
  readonly #index: SourceIndex;
  readonly #requests: DeliveryRequests;
  readonly #filterChanges: FilterChanges;
  #tailAt: number;

  static async open(options: TaskOptions): Promise<DeliveryTask> {
    const buffer = new EventBuffer();
    const restored = await restore({ ...options, buffer });
    const task = new DeliveryTask(options, restored, buffer, (await newestRetention(options.context.log))?.data);
    try {
      task.#begin();
      return task;
    } catch (error) {
      await task.stop(0);
      throw error;
    }
  }

  private constructor(options: TaskOptions, restored: Restored, buffer: EventBuffer, fact?: RetentionMoved) {
    const { context, limits, ambient } = options;
    const { partition, mark, log } = context;
    this.#options = options;
    this.#buffer = buffer;
    const { registry } = (this.#restored = restored);
    this.#registry = registry;
    this.#tailAt = restored.next.channels;
    this.#outbox = new Outbox({ partition, partitions: log.partitions, ambient, limits, ready: () => context.ready() });
    const read = (cursor: SourceCursor): void => this.#catchUp.read(cursor);
    const advanced = (cursor: SourceCursor): void => this.#advanced(cursor);
    const freed = (cursor: SourceCursor): void => {
      this.#advanced(cursor);
      this.#dispatcher.lineUp(cursor);
    };
    const blocked = (this.#blocked = new Blocked(context.alerts));
    const ownerOf = (this.#ownerOf = (cursor) => ({ alerts: context.alerts, touch: () => this.#outbox.touch(cursor) }));
    const made = { ...options, outbox: this.#outbox, registry, freed, blocked, tailAt: () => this.#tailAt };
    this.#index = new SourceIndex(made, restored.indexed);
    this.#filterChanges = new FilterChanges(made, restored.next.subscriptions);
    this.#deletions = new Deletions(made, restored.deletions);
    const reading = {
      ...made,
      buffer,
      sourceRecords: this.#index.reader,
      cursors: () => this.#cursors(),
      deleted: (fact: DeletionFact): void => this.#deletions.take(fact),
    };
    this.#openings = new Openings({ ...reading, opened: (subscription) => this.#found(subscription) });
    this.#sources = feederOf(options, { outbox: this.#outbox, deletions: this.#deletions, read, advanced });
    this.#webhooks = new WebhookChanges({
      ...made,
      dispatcher: () => this.#dispatcher,
      replays: () => this.#replays,
      letGo: (of) => this.#letGo(of),
    });
    const sent = { ...made, keyring: restored.keyring, sources: this.#sources, deletions: this.#deletions, read };
    const stop = (target: WebhookTarget): void => this.#webhooks.stop(target);
    const dispatcher = (this.#dispatcher = dispatcherOf(options, { ...sent, advanced, stop, ownerOf }));
    this.#replays = new Replays({ ...reading, deletions: this.#deletions, dispatcher }, restored.replays);
    this.#requests = new DeliveryRequests({ ...made, ...restored, dispatcher }, this.#replays);
    this.#overflow = new Overflow(made);
    this.#catchUp = catchUpOf(options, { ...reading, fed: (cursor, passed) => this.#fed(cursor, passed) });
    this.#pressure = pressureOf(options, { ...reading, fell: (cursor) => this.#dispatcher.lineUp(cursor) });
    this.#expiry = new Expiry(reading, fact);
    this.start = startOf(restored, partition, mark);
  }

  handle(records: RecordsOn<Reads<'delivery'>>, next: number): Promise<void> | void {
    if (areOf('channels', records)) return this.#filterChanges.ahead(records, () => this.#takeEvents(records, next));
    if (areOf('keys', records)) this.#takeKeys(records, next);
    else if (areOf('retention', records)) this.#expiry.take(records, next);
    else if (areOf('requests', records)) this.#requests.take(records, next);
    else this.#takeListeners(records, next);
  }

  /** Only moves on: a malformed record here has no sender that waits for an outcome. */
  pass({ topic, partition }: MalformedRecord, next: number): void {
    if (topic === 'channels') this.#tailAt = next;
    this.#moved({ topic, partition }, next);
  }

  take(bytesMax: number): Output<Appends<'delivery'>> | undefined {
    this.#dispatcher.writeRecords();
    const wasFull = this.#outbox.full;
    const output = this.#outbox.take(bytesMax);
    if (wasFull && !this.#outbox.full) this.#dispatcher.release();
    if (!this.#outbox.full) this.#sources.release();
    return output;
  }

  committed({ records }: Output<Appends<'delivery'>>, offsets: readonly number[]): void {
    this.#outbox.committed();
    this.#index.committed(records, offsets);
  }

  async stop(drainMs: number): Promise<void> {
    const closed = [this.#pressure, this.#expiry, this.#index, this.#deletions, this.#openings, this.#requests];
    for (const one of [...closed, this.#catchUp, this.#overflow, this.#blocked, this.#filterChanges]) one.close();
    this.#sources.stop();
    for (const cursor of this.#cursors()) this.#options.retryQuota.leave(cursor);
    await this.#dispatcher.stop(drainMs);
    // Attempts that end while it stops may fail, too.
    for (const cursor of this.#cursors()) this.#options.failing.left(cursor);
    this.#dispatcher.writeRecords();
    this.#outbox.drain();
  }

  #begin(): void {
    const { opened, left, next } = this.#restored;
    this.#webhooks.restored();
    this.#outbox.writeCursors(left);
    for (const subscription of opened) this.#openings.open(subscription);
    this.#openings.moved(next.subscriptions);
    for (const cursor of this.#cursors()) this.#goOn(cursor);
    this.#deletions.start();
    this.#replays.start();
    this.#index.start();
  }

  #goOn(cursor: SourceCursor): void {
    const { lanes, failing } = this.#options;
    const { webhook, opening } = cursor.subscription;
    if (opening) return;
    failing.restored(cursor, this.#ownerOf(cursor));
    this.#blocked.restored(cursor);
    if (cursor.hasAnswered && !webhook.stopped && !webhook.isSource) lanes.presumeAnswering(lanes.of(webhook));
    this.#overflow.check(cursor);
    this.#dispatcher.resume(cursor);
  }

  #takeEvents(records: readonly RecordOn<'channels'>[], next: number): void {
    const { tolerate } = this.#options.context;
    for (const record of records) tolerate(record, () => this.#takeOfChannels(record));
    this.#tailAt = next;
    this.#index.take(records, next);
    this.#outbox.moved(positionKey('channels', this.#options.context.partition), next);
  }

  #takeOfChannels(record: RecordOn<'channels'>): void {
    if (record.type === 'EventEmitted') this.#takeEvent(record);
    else if (record.type === 'EventsDeleted') this.#deletions.take(record);
    else this.#filterChanges.take(record);
  }

  #takeEvent(record: EmittedRecord): void {
    const { emitterId, channel } = record.data;
    let event: BufferedEvent | undefined;
    for (const subscription of this.#registry.matching({ workspace: record.workspace, emitterId, channel })) {
      const cursor = cursorOf(subscription, record, this.#buffer);
      if (cursor === undefined || this.#expiry.takesFromTail(cursor, record)) continue;
      if (!cursor.takesFromTail(record.offset)) cursor.miss(record.offset);
      else if (isFilteredOut(subscription, record)) this.#outbox.touch(cursor.passOver(record));
      else {
        cursor.offer((event ??= bufferedEvent(record, 'tail')), record.data.event);
        this.#dispatcher.lineUp(cursor);
        this.#pressure.grown(cursor);
      }
      if (cursor.uncovered) this.#outbox.touch(cursor);
    }
  }

  #takeKeys(records: readonly RecordOn<'keys'>[], next: number): void {
    for (const record of records) this.#restored.keyring.take(record);
    checkKeys(this.#restored.keyring, this.#options.context.alerts);
    this.#outbox.moved(positionKey('keys', 0), next);
    this.#dispatcher.release();
  }

  #takeListeners(records: RecordsOn<'webhooks' | 'subscriptions'>, next: number): void {
    for (const record of records) {
      this.#options.context.tolerate(record, () => {
        const change = this.#registry.apply(record);
        if (change !== undefined) this.#change(change, record);
      });
    }
    const [first] = records;
    if (first !== undefined) this.#moved(first, next);
  }

  #moved({ topic, partition }: { readonly topic: TopicName; readonly partition: number }, next: number): void {
    if (topic === 'subscriptions') for (const one of [this.#filterChanges, this.#openings]) one.moved(next);
    else if (topic === 'requests') this.#requests.pass(next);
    else this.#outbox.moved(positionKey(topic, partition), next);
  }

  #change(change: ListenerChange, cause: RecordOn): void {
    switch (change.kind) {
      case 'opened':
        this.#openings.open(change.subscription);
        return this.#replays.opened(change.subscription);
      case 'closed':
        return this.#closed(change.subscription, cause);
      case 'started':
        return this.#webhooks.started(change);
      case 'changed':
        return this.#webhooks.changed(change);
      case 'stopped':
        return this.#webhooks.stopped(change, change.deleted);
    }
  }

  /** Resumes cursors that waited until the first events of their subscription were found. */
  #found(subscription: Subscription): void {
    for (const cursor of cursorsOf(subscription)) this.#goOn(cursor);
    this.#replays.found(subscription);
  }

  #closed(subscription: Subscription, cause: RecordOn): void {
    this.#blocked.closed(subscription);
    for (const cursor of cursorsOf(subscription)) {
      this.#letGo(cursor);
      this.#options.failing.closed(cursor);
    }
    this.#sources.forget(subscription.subscriptionId);
    this.#replays.closed(subscription);
    this.#outbox.writeCursors(cursorsClosed(subscription, this.#options.context.partition, cause));
  }

  #advanced(cursor: SourceCursor): void {
    this.#pressure.shrunk(cursor);
    this.#catchUp.want(cursor);
    this.#overflow.check(cursor);
    this.#replays.check(cursor);
  }

  #fed(cursor: SourceCursor, passed: boolean): void {
    // Without a new record on the log, the cursor would read from the old offset after every restart.
    if (passed || cursor.readFrom === null) this.#outbox.touch(cursor);
    this.#dispatcher.lineUp(cursor);
    this.#replays.check(cursor);
  }

  #letGo(cursor: SourceCursor): void {
    cursor.fallBehind();
    this.#pressure.shrunk(cursor);
  }

  *#cursors(): Generator<SubscriptionCursor> {
    for (const subscription of this.#registry.subscriptions) yield* cursorsOf(subscription);
  }
}
