// Carries out requests about single deliveries: retries one now, or discards it.
import { numberOfEvent, timeOfEvent } from '../../../domain/channel/event-id.ts';
import { againSequence, counted, hurried } from '../../../domain/delivery/cursor.ts';
import type { DeliveryEvent } from '../../../domain/delivery/messages.ts';
import { reopened } from '../../../domain/delivery/parked/parked.ts';
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
import { DeletedSince, eventKey, parkedAttempts, wasTriedSince } from './parked-attempts.ts';

type ActType = 'DeliveryRetryRequested' | 'DeliveryDiscardRequested';
export type ActRequest = Extract<DeliveryRequest, { readonly type: ActType }>;

export const isAct = (record: RecordOn<'requests'>): record is RecordOn<'requests'> & ActRequest =>
  record.type === 'DeliveryRetryRequested' || record.type === 'DeliveryDiscardRequested';

export interface AskedDeliveriesOptions extends Pick<TaskOptions, 'context' | 'readSlots' | 'scanSlots' | 'ambient'> {
  readonly registry: Registry;
  readonly outbox: Outbox;
  readonly dispatcher: Pick<Dispatcher, 'retryAt'>;
  readonly blocked: Blocked;
  /** Called when the cursor can continue. */
  readonly freed: (cursor: SourceCursor) => void;
  /** The offset on `channels` up to which delivery has read. */
  readonly tailAt: () => number;
}

/** An upper estimate of a record's JSON: ids and a channel's name. */
const recordBytes = 2_048;
/** Requests carried out in one turn of the event loop: a millisecond or so. */
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

  /** Carries out requests in order, with shared reads of the log. One that is repeated after a crash has no effect. */
  async take(requests: readonly ActRequest[]): Promise<void> {
    for (let left = requests; left.length > 0 && !this.#closed;) left = await this.#takeFirst(left);
  }

  /** Carries out one request per event. Returns later ones for events that were not open: they depend on the first. */
  async #takeFirst(requests: readonly ActRequest[]): Promise<readonly ActRequest[]> {
    const found = new Map<string, ActRequest>();
    const later: ActRequest[] = [];
    await this.#inTurns(requests, (request) => {
      const key = eventKey(request.data.subscriptionId, request.data);
      const place = this.#placeOf(request);
      if (found.has(key)) later.push(request);
      else if (place !== undefined && !this.#actOnOpen(request, place.cursor)) found.set(key, request);
    });
    if (found.size > 0) await this.#takeClosed([...found.values()]);
    return later;
  }

  /** Carries out requests for events that are not open; no two are for the same event. */
  async #takeClosed(closed: readonly ActRequest[]): Promise<void> {
    const { outbox } = this.#options;
    const goesOn = (): boolean => !this.#closed;
    // These events were parked again, or were deleted: the log might not have their newest records yet.
    const isAnyDeleted = closed.some(({ data }) => data.offset === undefined);
    const stale = new Set(closed.flatMap((request) => this.#parkedAgain(request)));
    const written = stale.size > 0 || isAnyDeleted ? outbox.written() : Promise.resolve();
    await Promise.all([written, ...Array.from(stale, (lately) => lately.forget(written))]);
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

  /**
   * Carries out a few requests in each turn of the event loop; a turn begins once `before`, if given, has resolved.
   */
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

  /**
   * Undefined: the request has no effect. The subscription is gone, or a retry is for a deleted event, or for
   * a source that listens.
   */
  #placeOf({ type, data: { subscriptionId, emitterId, offset } }: ActRequest): Place | undefined {
    const subscription = this.#options.registry.subscription(subscriptionId);
    const cursor = subscription?.cursors?.get(emitterId);
    if (subscription === undefined || subscription.closed) return undefined;
    const isGiven = !subscription.webhook.isSource && offset !== undefined;
    if (type === 'DeliveryRetryRequested' && !isGiven) return undefined;
    return cursor && { subscription, cursor };
  }

  #parkedAgain(request: ActRequest): readonly Lately[] {
    const lately = this.#placeOf(request)?.cursor.lately;
    const isParked = lately?.isParked(eventOf(request));
    const isStale = isParked === true || (isParked === false && request.data.offset === undefined);
    return lately !== undefined && isStale ? [lately] : [];
  }

  /** Carries out a request for an event that was parked after `attempts` attempts. */
  #actOnClosed(request: ActRequest, attempts: number): void {
    const place = this.#placeOf(request);
    if (place === undefined) return;
    const { cursor } = place;
    // An earlier request might have reopened it.
    if (this.#actOnOpen(request, cursor)) return;
    // A replay can have delivered it while the log was read, or an earlier request can have discarded it.
    if (cursor.lately?.isParked(eventOf(request)) !== false) this.#actOnParked(request, { ...place, attempts });
  }

  /** Carries out the request if the delivery is open; returns whether it was. */
  #actOnOpen(request: ActRequest, cursor: SourceCursor): boolean {
    const { offset } = request.data;
    if (offset === undefined || cursor.openAt(offset) === undefined) return false;
    this.#change(request, offset, cursor);
    return true;
  }

  #change(request: ActRequest, offset: number, cursor: SourceCursor): void {
    const { dispatcher, outbox, ambient, blocked, freed } = this.#options;
    const at = ambient.now();
    if (request.type === 'DeliveryDiscardRequested') {
      const attempts = cursor.attemptsAt(offset) ?? 0;
      discard(cursor, offset);
      outbox.complete(cursor, [this.#record('DeliveryDiscarded', request, cursor, attempts)], recordBytes);
      blocked.ends({ cursor, event: { offset } });
      freed(cursor);
    } else if (!wasTriedSince(request, cursor.attemptsAt(offset)) && mayHurry(cursor, offset, at)) {
      if (!cursor.aside.hurry(offset, at)) cursor.change((position) => hurried(position, offset, at));
      cursor.suspended?.delete(offset);
      dispatcher.retryAt(cursor, offset, at);
      outbox.touch(cursor);
    } else return;
    outbox.flush();
  }

  /** Reopens the delivery, or counts it as discarded, in the same append as its record. */
  #actOnParked(request: ActRequest, { subscription, cursor, attempts }: Place & { readonly attempts: number }): void {
    const { outbox, dispatcher, ambient } = this.#options;
    const { emitterId, eventId } = request.data;
    const { offset = 0, number } = eventOf(request);
    const time = timeOfEvent(eventId);
    const isRetry = request.type === 'DeliveryRetryRequested';
    cursor.lately ??= new Lately();
    cursor.lately.leaves(eventOf(request));
    tellReplays(subscription, { event: { emitterId, number, time }, offset, isParked: false });
    cursor.change((position) => reopened(position, time));
    if (!isRetry) cursor.change((position) => counted(position, 'discarded'));
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

/** Whether the delivery waits for its retry time, or until a user acts on it. */
function mayHurry(cursor: SourceCursor, offset: number, now: Millis): boolean {
  if (cursor.stopped || cursor.trying?.has(offset) === true || cursor.aside.isClaimed(offset)) return false;
  return cursor.suspended?.has(offset) === true || (cursor.openAt(offset)?.dueAt ?? now) > now;
}

/** Discards the delivery; if an attempt is in flight, it is recorded when it ends. */
function discard(cursor: SourceCursor, offset: number): void {
  if (cursor.trying?.has(offset) === true) (cursor.discarded ??= new Set()).add(offset);
  cursor.suspended?.delete(offset);
  cursor.finish(offset, 'discarded');
}

const eventOf = ({ data: { offset, eventId } }: ActRequest) => ({ offset, number: numberOfEvent(eventId) });
