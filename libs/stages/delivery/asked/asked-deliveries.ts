// Acts on single deliveries that somebody asks about: tries one now, or gives it up.
import { numberOfEvent } from '../../../domain/channel/event-id.ts';
import { againSequence, counted, hurried, reopened } from '../../../domain/delivery/cursor.ts';
import type { DeliveryEvent } from '../../../domain/delivery/messages.ts';
import type { DeliveryRequest } from '../../../domain/delivery/replay/messages.ts';
import { derivedId } from '../../../domain/id.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import type { Millis } from '../../../domain/message.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { Blocked } from '../settling/blocked.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import type { Registry } from '../subscriptions/subscription-registry.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { TaskOptions } from '../delivery-options.ts';
import type { Outbox } from '../outbox.ts';
import { tellReplays } from '../replay-cursors/replay-cursor.ts';
import type { Dispatcher } from '../sending/dispatcher.ts';
import { messageIdOf } from '../targets/request.ts';
import { Lately } from '../cursors/lately.ts';
import { DeletedSince, parkedAttempts } from './parked-attempts.ts';

type ActType = 'DeliveryRetryRequested' | 'DeliveryDiscardRequested';
export type ActRequest = Extract<DeliveryRequest, { readonly type: ActType }>;

export const isAct = (record: RecordOn<'requests'>): record is RecordOn<'requests'> & ActRequest =>
  record.type === 'DeliveryRetryRequested' || record.type === 'DeliveryDiscardRequested';

export interface AskedDeliveriesOptions extends Pick<TaskOptions, 'context' | 'readSlots' | 'scanSlots' | 'ambient'> {
  readonly registry: Registry;
  readonly outbox: Outbox;
  readonly dispatcher: Pick<Dispatcher, 'retryAt'>;
  readonly blocked: Blocked;
  /** The cursor may continue. */
  readonly freed: (cursor: SourceCursor) => void;
  /** The offset on `channels` up to which delivery has read. */
  readonly tailAt: () => number;
}

/** An upper estimate of a record's JSON: ids and a channel's name. */
const recordBytes = 2_048;
/** Acts in one turn of the event loop: a millisecond or so. */
const turnMax = 32;

interface Place {
  readonly subscription: Subscription;
  readonly cursor: SourceCursor;
}

export class AskedDeliveries {
  readonly #options: AskedDeliveriesOptions;
  #closed = false;

  constructor(options: AskedDeliveriesOptions) {
    this.#options = options;
  }

  close(): void {
    this.#closed = true;
  }

  /** In their order, sharing what they read of the log. Repeated after a crash, each does nothing the second time. */
  async take(requests: readonly ActRequest[]): Promise<void> {
    const { outbox } = this.#options;
    const goesOn = (): boolean => !this.#closed;
    const closed: ActRequest[] = [];
    await this.#inTurns(requests, (request) => {
      const place = this.#placeOf(request);
      if (place?.cursor.openAt(request.data.offset) !== undefined) this.#actOnOpen(request, place.cursor);
      else if (place !== undefined) closed.push(request);
    });
    if (closed.length === 0) return;
    // They were tried again and are parked again: the log may still show what was before.
    const stale = new Set(closed.flatMap((request) => this.#parkedAgain(request)));
    const written = stale.size > 0 ? outbox.written() : Promise.resolve();
    await Promise.all(Array.from(stale, (lately) => lately.forget(written)));
    const attempts = await parkedAttempts(closed, this.#options, goesOn);
    const parked = closed.filter((request) => attempts.has(request));
    const retries = parked.filter(({ type }) => type === 'DeliveryRetryRequested');
    const deleted = new DeletedSince(retries, this.#options, goesOn);
    const act = (request: ActRequest): void => {
      const count = attempts.get(request);
      if (count !== undefined && !deleted.has(request)) this.#actOnClosed(request, count);
    };
    await this.#inTurns(parked, act, () => deleted.read());
  }

  /** A few in each turn of the event loop; `before` each turn something may be read, in the end of which it begins. */
  async #inTurns(
    requests: readonly ActRequest[],
    act: (request: ActRequest) => void,
    before?: () => Promise<void>,
  ): Promise<void> {
    const { outbox } = this.#options;
    for (let from = 0; from < requests.length; from += turnMax) {
      if (from > 0) await new Promise((resolve) => setImmediate(resolve));
      if (outbox.full) await outbox.written();
      await before?.();
      if (this.#closed) return;
      for (const request of requests.slice(from, from + turnMax)) act(request);
    }
  }

  #placeOf({ data: { subscriptionId, emitterId } }: ActRequest): Place | undefined {
    const subscription = this.#options.registry.subscription(subscriptionId);
    const cursor = subscription?.cursors?.get(emitterId);
    if (subscription === undefined || subscription.closed || subscription.webhook.isSource) return undefined;
    return cursor && { subscription, cursor };
  }

  #parkedAgain(request: ActRequest): readonly Lately[] {
    const lately = this.#placeOf(request)?.cursor.lately;
    return lately?.isParked(request.data.offset) === true ? [lately] : [];
  }

  /** It was parked; `attempts`: how many it had. */
  #actOnClosed(request: ActRequest, attempts: number): void {
    const place = this.#placeOf(request);
    if (place === undefined) return;
    const { cursor } = place;
    const { offset } = request.data;
    // An act before this one has opened it.
    if (cursor.openAt(offset) !== undefined) return this.#actOnOpen(request, cursor);
    // A replay may have delivered it while the log was read, or an act before this one has given it up.
    if (cursor.lately?.isParked(offset) !== false) this.#actOnParked(request, { ...place, attempts });
  }

  #actOnOpen(request: ActRequest, cursor: SourceCursor): void {
    const { dispatcher, outbox, ambient, blocked, freed } = this.#options;
    const { offset } = request.data;
    const at = ambient.now();
    if (request.type === 'DeliveryDiscardRequested') {
      const attempts = cursor.attemptsAt(offset) ?? 0;
      discard(cursor, offset);
      outbox.complete(cursor, [this.#record('DeliveryDiscarded', request, cursor, attempts)], recordBytes);
      blocked.ends({ cursor, event: request.data });
      freed(cursor);
    } else if (mayHurry(cursor, offset, at)) {
      if (!cursor.aside.hurry(offset, at)) cursor.change((position) => hurried(position, offset, at));
      cursor.suspended?.delete(offset);
      dispatcher.retryAt(cursor, offset, at);
      outbox.touch(cursor);
    } else return;
    outbox.flush();
  }

  /** It is open again, or counts as given up: in the append that has its record. */
  #actOnParked(request: ActRequest, { subscription, cursor, attempts }: Place & { readonly attempts: number }): void {
    const { outbox, dispatcher, ambient } = this.#options;
    const { offset, eventId, emitterId } = request.data;
    const isRetry = request.type === 'DeliveryRetryRequested';
    cursor.lately ??= new Lately();
    cursor.lately.leaves(offset);
    const event = { emitterId, number: numberOfEvent(eventId) };
    tellReplays(subscription, { event, offset, isParked: false });
    cursor.change((position) => (isRetry ? reopened(position) : counted(reopened(position), 'discarded')));
    const at = ambient.now();
    if (isRetry) cursor.aside.add({ offset, sequence: againSequence, attempts, dueAt: at, waitMs: 0 });
    const type = isRetry ? 'DeliveryReopened' : 'DeliveryDiscarded';
    outbox.complete(cursor, [this.#record(type, request, cursor, attempts)], recordBytes);
    if (isRetry) dispatcher.retryAt(cursor, offset, at);
    outbox.flush();
  }

  #record(
    type: 'DeliveryReopened' | 'DeliveryDiscarded',
    { id: causationId, data: asked, correlationId }: ActRequest,
    { subscription }: SourceCursor,
    attempts: number,
  ): DeliveryEvent {
    const { subscriptionId, emitterId, eventId, channel } = asked;
    const { webhook, workspace } = subscription;
    const webhookMessageId = messageIdOf(subscriptionId, { emitterId, eventId });
    const target = { subscriptionId, webhookId: webhook.webhookId, emitterId, eventId, channel, webhookMessageId };
    const id = derivedId('rec', causationId, type);
    const at = this.#options.ambient.now();
    const data = { ...target, attempts };
    const version = versionOf({ type, data });
    const envelope = { id, version, key: subscriptionId, at, workspace, correlationId, causationId };
    return { ...envelope, type, data };
  }
}

/** Whether the delivery waits for its time, or for somebody to act. */
function mayHurry(cursor: SourceCursor, offset: number, now: Millis): boolean {
  if (cursor.stopped || cursor.trying?.has(offset) === true || cursor.aside.isClaimed(offset)) return false;
  return cursor.suspended?.has(offset) === true || (cursor.openAt(offset)?.dueAt ?? now) > now;
}

/** An attempt in flight is recorded when it ends. */
function discard(cursor: SourceCursor, offset: number): void {
  if (cursor.trying?.has(offset) === true) (cursor.discarded ??= new Set()).add(offset);
  cursor.suspended?.delete(offset);
  cursor.finish(offset, 'discarded');
}
