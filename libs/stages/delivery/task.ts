// Delivery in one partition: takes listeners, keys and events in, and gives attempts and cursors out.
import type { ChannelEvent } from '../../domain/channel/messages.ts';
import type { StoredRecord } from '../../domain/message.ts';
import type { RetentionEvent, RetentionMoved } from '../../domain/retention/messages.ts';
import { positionKey, type Position } from '../../log/log.ts';
import type { MalformedRecord } from '../loop/reading/unusable.ts';
import { newestRetention } from '../loop/retention.ts';
import type { Output, StageTask } from '../loop/stage.ts';
import { bufferedEvent, EventBuffer, reread, type BufferedEvent } from './cursors/buffer.ts';
import type { CatchUp } from './cursors/catch-up.ts';
import { EmitterCursor } from './cursors/emitter-cursor.ts';
import { eachMissed } from './listeners/missed.ts';
import type { Pressure } from './cursors/pressure.ts';
import { catchUpOf, pressureOf } from './cursors/wiring.ts';
import type { ListenerChange, Registry } from './listeners/registry.ts';
import type { Subscription } from './listeners/subscription.ts';
import type { WebhookTarget } from './listeners/target.ts';
import type { TaskOptions } from './options.ts';
import { Outbox } from './outbox.ts';
import { raiseClosedKey } from './records/raised.ts';
import { baseCursorOpened, cursorsClosed } from './records/cursor-records.ts';
import { learnKey, restore, type Restored } from './records/restore.ts';
import { Expiry } from './retention/expiry.ts';
import { Dispatcher } from './sending/dispatcher.ts';
import { Overflow } from './sending/overflow.ts';

export class DeliveryTask implements StageTask {
  readonly start: readonly Position[];
  readonly #options: TaskOptions;
  readonly #registry: Registry;
  readonly #restored: Restored;
  readonly #buffer: EventBuffer;
  readonly #outbox: Outbox;
  readonly #dispatcher: Dispatcher;
  readonly #overflow: Overflow;
  readonly #catchUp: CatchUp;
  readonly #pressure: Pressure;
  readonly #expiry: Expiry;
  #tailAt: number;
  #begun = false;

  static async open(options: TaskOptions): Promise<DeliveryTask> {
    const buffer = new EventBuffer();
    const restored = await restore({ ...options, buffer });
    const task = new DeliveryTask(options, restored, buffer, (await newestRetention(options.context.log))?.data);
    try {
      await task.#begin();
      return task;
    } catch (error) {
      await task.stop(0);
      throw error;
    }
  }

  private constructor(options: TaskOptions, restored: Restored, buffer: EventBuffer, fact?: RetentionMoved) {
    const { context, limits, ambient } = options;
    const { partition, mark } = context;
    this.#options = options;
    this.#buffer = buffer;
    this.#restored = restored;
    this.#registry = restored.registry;
    this.#tailAt = restored.next.channels;
    this.#outbox = new Outbox({ partition, ambient, limits, ready: () => context.ready() });
    this.#dispatcher = this.#newDispatcher();
    this.#overflow = new Overflow(options, this.#outbox);
    this.#catchUp = this.#newCatchUp();
    this.#pressure = this.#newPressure();
    this.#expiry = this.#newExpiry(fact);
    this.start = [
      { topic: 'keys', partition: 0, offset: restored.next.keys },
      { topic: 'listeners', partition: 0, offset: restored.next.listeners },
      { topic: 'channels', partition, offset: restored.next.channels },
      { topic: 'retention', partition: 0, offset: mark.positions[positionKey('retention', 0)] ?? 0 },
    ];
  }

  handle(records: readonly StoredRecord[], next: number): Promise<void> | void {
    const topic = records[0]?.topic;
    if (topic === 'channels') this.#takeEvents(records as readonly StoredRecord<ChannelEvent>[], next);
    else if (topic === 'keys') this.#takeKeys(records, next);
    else if (topic === 'retention') this.#expiry.take(records as readonly StoredRecord<RetentionEvent>[], next);
    else if (topic === 'listeners') return this.#takeListeners(records, next);
  }

  /** Nobody waits for what would have come of it. */
  pass({ topic, partition }: MalformedRecord, next: number): void {
    if (topic === 'channels') this.#tailAt = next;
    this.#outbox.moved(positionKey(topic, partition), next);
  }

  take(bytesMax: number): Output | undefined {
    this.#dispatcher.writeRecords();
    const wasFull = this.#outbox.full;
    const output = this.#outbox.take(bytesMax);
    if (wasFull && !this.#outbox.full) this.#dispatcher.release();
    return output;
  }

  committed(): void {}

  async stop(drainMs: number): Promise<void> {
    this.#pressure.close();
    this.#expiry.close();
    this.#catchUp.close();
    this.#overflow.close();
    for (const cursor of this.#cursors()) this.#options.room.leave(cursor);
    await this.#dispatcher.stop(drainMs);
    this.#dispatcher.writeRecords();
    this.#outbox.drain();
  }

  /** Applies what the mark had not passed, deletes among it, and only then goes on with what was open or behind. */
  async #begin(): Promise<void> {
    const { unhandled, next } = this.#restored;
    if (unhandled.length > 0) await this.#takeListeners(unhandled, next.listeners);
    this.#begun = true;
    const { lanes } = this.#options;
    for (const cursor of this.#cursors()) {
      if (cursor.hasAnswered) lanes.presumeAnswering(lanes.of(cursor.subscription.webhook));
      this.#overflow.check(cursor);
      this.#dispatcher.resume(cursor);
    }
  }

  #takeEvents(records: readonly StoredRecord<ChannelEvent>[], next: number): void {
    const { tolerate } = this.#options.context;
    for (const record of records) tolerate(record, () => this.#takeEvent(record));
    this.#tailAt = next;
    this.#outbox.moved(positionKey('channels', this.#options.context.partition), next);
  }

  #takeEvent(record: StoredRecord<ChannelEvent>): void {
    const { emitterId, channel } = record.data;
    let event: BufferedEvent | undefined;
    for (const subscription of this.#registry.matching({ workspace: record.workspace, emitterId, channel })) {
      const cursor = this.#cursorOf(subscription, record);
      if (cursor === undefined || this.#expiry.takesFromTail(cursor, record)) continue;
      if (cursor.takesFromTail(record.offset)) {
        event ??= bufferedEvent(record, 'tail');
        cursor.offer(event);
        this.#dispatcher.lineUp(cursor);
        this.#pressure.grown(cursor);
      } else cursor.miss(record.offset);
      if (cursor.uncovered) this.#outbox.touch(cursor);
    }
  }

  /** Undefined: the event came before the subscription, or nobody knows where that begins. */
  #cursorOf(subscription: Subscription, record: StoredRecord<ChannelEvent>): EmitterCursor | undefined {
    const { base, cursors } = subscription;
    const { emitterId } = record.data;
    const known = cursors.get(emitterId);
    if (known !== undefined || base === undefined || record.offset < base) return known;
    const cursor = EmitterCursor.startingAt(subscription, emitterId, { next: base, buffer: this.#buffer });
    cursors.set(emitterId, cursor);
    return cursor;
  }

  #takeKeys(records: readonly StoredRecord[], next: number): void {
    const { keyring } = this.#restored;
    for (const record of records) learnKey(keyring, record, this.#options.context);
    keyring.check();
    this.#outbox.moved(positionKey('keys', 0), next);
    this.#dispatcher.release();
  }

  async #takeListeners(records: readonly StoredRecord[], next: number): Promise<void> {
    for (const record of records) {
      await this.#options.context.tolerate(record, async () => {
        const change = this.#registry.apply(record);
        if (change !== undefined) await this.#change(change, record);
      });
    }
    this.#outbox.moved(positionKey('listeners', 0), next);
  }

  async #change(change: ListenerChange, cause: StoredRecord): Promise<void> {
    switch (change.kind) {
      case 'opened':
        return this.#opened(change.subscription, change.channelEnds, cause);
      case 'closed':
        return this.#closed(change.subscription, cause);
      case 'stopped':
        this.#stopped(change.webhook);
        return cause.type === 'WebhookDeleted' ? this.#options.lanes.forget(change.webhook.webhookId) : undefined;
      case 'orphan':
        return this.#options.alert('A subscription has no webhook: nothing is delivered to it.', change);
    }
  }

  async #opened(subscription: Subscription, channelEnds: readonly number[], cause: StoredRecord): Promise<void> {
    const { partition } = this.#options.context;
    const base = channelEnds[partition];
    if (base === undefined) {
      const { subscriptionId } = subscription;
      this.#options.alert('A subscription does not say where it begins: nothing is delivered.', { subscriptionId });
      return;
    }
    this.#restored.place(subscription);
    await this.#findMissed(subscription, base);
    subscription.base = base;
    const record = baseCursorOpened(subscription, { next: base, partition }, cause);
    this.#outbox.control({ topic: 'cursors', partition, record });
  }

  /** Events from its base on that the tail has passed already: their emitters' cursors begin behind. */
  async #findMissed(subscription: Subscription, base: number): Promise<void> {
    const range = { from: base, to: () => this.#tailAt };
    await eachMissed(this.#options.context, subscription, range, ({ offset, data: { emitterId } }) => {
      if (subscription.cursors.has(emitterId)) return;
      const cursor = EmitterCursor.startingAt(subscription, emitterId, { next: offset, buffer: this.#buffer });
      cursor.miss(offset);
      subscription.cursors.set(emitterId, cursor);
      this.#outbox.touch(cursor);
      if (this.#begun) this.#dispatcher.lineUp(cursor);
    });
  }

  #closed(subscription: Subscription, cause: StoredRecord): void {
    const { partition } = this.#options.context;
    for (const cursor of subscription.cursors.values()) this.#letGo(cursor);
    for (const record of cursorsClosed(subscription, partition, cause)) {
      this.#outbox.control({ topic: 'cursors', partition, record });
    }
  }

  #stopped(webhook: WebhookTarget): void {
    webhook.stopped = true;
    for (const { cursors } of this.#registry.to(webhook)) {
      for (const cursor of cursors.values()) {
        this.#letGo(cursor);
        this.#outbox.touch(cursor);
      }
    }
  }

  #advanced(cursor: EmitterCursor): void {
    this.#pressure.shrunk(cursor);
    this.#catchUp.want(cursor);
    this.#overflow.check(cursor);
  }

  #letGo(cursor: EmitterCursor): void {
    cursor.fallBehind();
    this.#pressure.shrunk(cursor);
  }

  *#cursors(): Generator<EmitterCursor> {
    for (const subscription of this.#registry.subscriptions) yield* subscription.cursors.values();
  }

  #newDispatcher(): Dispatcher {
    const { context, webhook, lanes, ambient, readers, alert } = this.#options;
    return new Dispatcher({
      webhook,
      lanes,
      ambient,
      alert,
      keyring: this.#restored.keyring,
      outbox: this.#outbox,
      reread: (offset) => readers.run(() => reread(context, offset)),
      read: (cursor) => this.#catchUp.read(cursor),
      advanced: (cursor) => this.#advanced(cursor),
      stop: (target) => this.#stopped(target),
      closed: ({ webhookId }) => raiseClosedKey(context.alerts, webhookId),
      fail: (error) => context.fail(error),
    });
  }

  #newCatchUp(): CatchUp {
    return catchUpOf(this.#options, {
      buffer: this.#buffer,
      tailAt: () => this.#tailAt,
      fed: (cursor) => {
        // The record on the log would have it read from where it was behind, after every restart.
        if (cursor.readFrom === null) this.#outbox.touch(cursor);
        this.#dispatcher.lineUp(cursor);
      },
    });
  }

  #newPressure(): Pressure {
    return pressureOf(this.#options, {
      buffer: this.#buffer,
      cursors: () => this.#cursors(),
      fell: (cursor) => this.#dispatcher.lineUp(cursor),
    });
  }

  #newExpiry(fact: RetentionMoved | undefined): Expiry {
    const { context, readers } = this.#options;
    const freed = (cursor: EmitterCursor): void => {
      this.#advanced(cursor);
      this.#dispatcher.lineUp(cursor);
    };
    const cursors = () => this.#cursors();
    const outbox = this.#outbox;
    return new Expiry({ context, readers, outbox, cursors, tailAt: () => this.#tailAt, freed }, fact);
  }
}
