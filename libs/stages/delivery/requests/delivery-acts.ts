// Carries out requests about single deliveries: retries one now, or discards it.
import { numberOfEvent, timeOfEvent } from '../../../domain/channel/event-id.ts';
import { reopenedSequence, countFinished, makeDue } from '../../../domain/delivery/cursor.ts';
import type { DeliveryEvent } from '../../../domain/delivery/messages.ts';
import { reopenParked } from '../../../domain/delivery/parked/parked.ts';
import type { DeliveryRequest } from '../../../domain/delivery/replay/messages.ts';
import { derivedId } from '../../../domain/id.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import type { Millis } from '../../../domain/message.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { BlockedAlerts } from '../settling/blocked-alerts.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import type { Registry } from '../subscriptions/subscription-registry.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { TaskOptions } from '../delivery-options.ts';
import type { Outbox } from '../outbox.ts';
import { notifyReplays } from '../replay-cursors/replay-cursor.ts';
import type { Dispatcher } from '../sending/dispatcher.ts';
import { messageIdOf } from '../targets/request.ts';
import { RecentParking } from '../cursors/recent-parking.ts';
import { DeletedSince, eventKey, parkedAttempts, wasTriedSince } from './parked-attempts.ts';

type ActType = 'DeliveryRetryRequested' | 'DeliveryDiscardRequested';
export type ActRequest = Extract<DeliveryRequest, { readonly type: ActType }>;

export const isAct = (record: RecordOn<'requests'>): record is RecordOn<'requests'> & ActRequest =>
  record.type === 'DeliveryRetryRequested' || record.type === 'DeliveryDiscardRequested';

export interface DeliveryActsOptions extends Pick<TaskOptions, 'context' | 'readSlots' | 'scanSlots' | 'ambient'> {
  readonly registry: Registry;
  readonly outbox: Outbox;
  readonly dispatcher: Pick<Dispatcher, 'retryAt'>;
  readonly blocked: BlockedAlerts;
  /** Called when the cursor can continue. */
  readonly onFreed: (cursor: SourceCursor) => void;
  /** The offset on `channels` up to which delivery has read. */
  readonly tailAt: () => number;
}

/** An upper estimate of a record's JSON: ids and a channel's name. */
const recordBytes = 2_048;
/** Requests carried out in one turn of the event loop: a millisecond or so. */
const actsPerTurn = 32;

interface ActTarget {
  readonly subscription: Subscription;
  readonly cursor: SourceCursor;
}

export class DeliveryActs {
  readonly #options: DeliveryActsOptions;
  #closed = false;

  constructor(options: DeliveryActsOptions) {
    this.#options = options;
  }

  close(): void {
    this.#closed = true;
  }

  /** Carries out requests in order, with shared reads of the log. One that is repeated after a crash has no effect. */
  async carryOut(requests: readonly ActRequest[]): Promise<void> {
    for (let remaining = requests; remaining.length > 0 && !this.#closed;)
      remaining = await this.#carryOutFirst(remaining);
  }

  /** Carries out one request per event. Returns later ones for events that were not open: they depend on the first. */
  async #carryOutFirst(requests: readonly ActRequest[]): Promise<readonly ActRequest[]> {
    const closedByEvent = new Map<string, ActRequest>();
    const later: ActRequest[] = [];
    await this.#inTurns(requests, (request) => {
      const key = eventKey(request.data.subscriptionId, request.data);
      const target = this.#targetOf(request);
      if (closedByEvent.has(key)) later.push(request);
      else if (target !== undefined && !this.#actOnOpen(request, target.cursor)) closedByEvent.set(key, request);
    });
    if (closedByEvent.size > 0) await this.#carryOutClosed([...closedByEvent.values()]);
    return later;
  }

  /** Carries out requests for events that are not open; no two are for the same event. */
  async #carryOutClosed(closed: readonly ActRequest[]): Promise<void> {
    const { outbox } = this.#options;
    const shouldContinue = (): boolean => !this.#closed;
    // These events were parked again, or were deleted: the log might not have their newest records yet.
    const isAnyDeleted = closed.some(({ data }) => data.offset === undefined);
    const stale = new Set(closed.flatMap((request) => this.#staleParking(request)));
    const written = stale.size > 0 || isAnyDeleted ? outbox.whenWritten() : Promise.resolve();
    await Promise.all([written, ...Array.from(stale, (recentParking) => recentParking.forget(written))]);
    const attempts = await parkedAttempts(closed, this.#options, shouldContinue);
    const parked = closed.filter((request) => attempts.has(request));
    const retries = parked.filter(({ type }) => type === 'DeliveryRetryRequested');
    const deleted = new DeletedSince(retries, this.#options, shouldContinue);
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
    for (let from = 0; from < requests.length; from += actsPerTurn) {
      if (from > 0) await new Promise((resolve) => setImmediate(resolve));
      if (outbox.isFull) await outbox.whenWritten();
      await before?.();
      if (this.#closed) return;
      for (const request of requests.slice(from, from + actsPerTurn)) act(request);
    }
  }

  /**
   * Undefined: the request has no effect. The subscription is gone, or a retry is for a deleted event, or for
   * a source that listens.
   */
  #targetOf({ type, data: { subscriptionId, emitterId, offset } }: ActRequest): ActTarget | undefined {
    const subscription = this.#options.registry.subscription(subscriptionId);
    const cursor = subscription?.cursors?.get(emitterId);
    if (subscription === undefined || subscription.closed) return undefined;
    const canRetry = !subscription.webhook.isSource && offset !== undefined;
    if (type === 'DeliveryRetryRequested' && !canRetry) return undefined;
    return cursor && { subscription, cursor };
  }

  #staleParking(request: ActRequest): readonly RecentParking[] {
    const recentParking = this.#targetOf(request)?.cursor.recentParking;
    const isParked = recentParking?.isParked(parkedEventOf(request));
    const isStale = isParked === true || (isParked === false && request.data.offset === undefined);
    return recentParking !== undefined && isStale ? [recentParking] : [];
  }

  /** Carries out a request for an event that was parked after `attempts` attempts. */
  #actOnClosed(request: ActRequest, attempts: number): void {
    const target = this.#targetOf(request);
    if (target === undefined) return;
    const { cursor } = target;
    // An earlier request might have reopened it.
    if (this.#actOnOpen(request, cursor)) return;
    // A replay can have delivered it while the log was read, or an earlier request can have discarded it.
    if (cursor.recentParking?.isParked(parkedEventOf(request)) !== false)
      this.#actOnParked(request, { ...target, attempts });
  }

  /** Carries out the request if the delivery is open; returns whether it was. */
  #actOnOpen(request: ActRequest, cursor: SourceCursor): boolean {
    const { offset } = request.data;
    if (offset === undefined || cursor.openAt(offset) === undefined) return false;
    this.#actOnDelivery(request, offset, cursor);
    return true;
  }

  #actOnDelivery(request: ActRequest, offset: number, cursor: SourceCursor): void {
    const { dispatcher, outbox, ambient, blocked, onFreed } = this.#options;
    const at = ambient.now();
    if (request.type === 'DeliveryDiscardRequested') {
      const attempts = cursor.attemptsAt(offset) ?? 0;
      discard(cursor, offset);
      outbox.complete(cursor, [this.#record('DeliveryDiscarded', request, cursor, attempts)], recordBytes);
      blocked.noteEnded({ cursor, event: { offset } });
      onFreed(cursor);
    } else if (!wasTriedSince(request, cursor.attemptsAt(offset)) && canRetryNow(cursor, offset, at)) {
      if (!cursor.retries.makeDue(offset, at)) cursor.change((position) => makeDue(position, offset, at));
      cursor.suspended?.delete(offset);
      dispatcher.retryAt(cursor, offset, at);
      outbox.touch(cursor);
    } else return;
    outbox.flush();
  }

  /** Reopens the delivery, or counts it as discarded, in the same append as its record. */
  #actOnParked(
    request: ActRequest,
    { subscription, cursor, attempts }: ActTarget & { readonly attempts: number },
  ): void {
    const { outbox, dispatcher, ambient } = this.#options;
    const { emitterId, eventId } = request.data;
    const { offset = 0, number } = parkedEventOf(request);
    const time = timeOfEvent(eventId);
    const isRetry = request.type === 'DeliveryRetryRequested';
    cursor.recentParking ??= new RecentParking();
    cursor.recentParking.noteUnparked(parkedEventOf(request));
    notifyReplays(subscription, { event: { emitterId, number, time }, offset, isParked: false });
    cursor.change((position) => reopenParked(position, time));
    if (!isRetry) cursor.change((position) => countFinished(position, 'discarded'));
    const at = ambient.now();
    if (isRetry) cursor.retries.add({ offset, sequence: reopenedSequence, attempts, dueAt: at, waitMs: 0 });
    const type = isRetry ? 'DeliveryReopened' : 'DeliveryDiscarded';
    outbox.complete(cursor, [this.#record(type, request, cursor, attempts)], recordBytes);
    if (isRetry) dispatcher.retryAt(cursor, offset, at);
    outbox.flush();
  }

  #record(
    type: 'DeliveryReopened' | 'DeliveryDiscarded',
    { id: causationId, data: requested, correlationId }: ActRequest,
    { subscription }: SourceCursor,
    attempts: number,
  ): DeliveryEvent {
    const { subscriptionId, emitterId, eventId, channel } = requested;
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
function canRetryNow(cursor: SourceCursor, offset: number, now: Millis): boolean {
  if (cursor.stopped || cursor.inFlight?.has(offset) === true || cursor.retries.isClaimed(offset)) return false;
  return cursor.suspended?.has(offset) === true || (cursor.openAt(offset)?.dueAt ?? now) > now;
}

/** Discards the delivery; if an attempt is in flight, it is recorded when it ends. */
function discard(cursor: SourceCursor, offset: number): void {
  if (cursor.inFlight?.has(offset) === true) (cursor.discarded ??= new Set()).add(offset);
  cursor.suspended?.delete(offset);
  cursor.finish(offset, 'discarded');
}

const parkedEventOf = ({ data: { offset, eventId } }: ActRequest) => ({ offset, number: numberOfEvent(eventId) });
