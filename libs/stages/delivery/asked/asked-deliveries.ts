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
import { parkedAttempts, wasDeleted } from './parked-attempts.ts';

type ActType = 'DeliveryRetryRequested' | 'DeliveryDiscardRequested';
type ActRequest = Extract<DeliveryRequest, { readonly type: ActType }>;

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

export class AskedDeliveries {
  readonly #options: AskedDeliveriesOptions;
  #closed = false;

  constructor(options: AskedDeliveriesOptions) {
    this.#options = options;
  }

  close(): void {
    this.#closed = true;
  }

  /** One request after the other, and to be repeated after a crash: each does nothing the second time. */
  async take(request: ActRequest): Promise<void> {
    const { registry, outbox } = this.#options;
    const { offset } = request.data;
    const subscription = registry.subscription(request.data.subscriptionId);
    const cursor = subscription?.cursors?.get(request.data.emitterId);
    if (subscription === undefined || cursor === undefined || subscription.webhook.isSource) return;
    if (cursor.openAt(offset) !== undefined) return this.#actOnOpen(request, cursor);
    const goesOn = (): boolean => !this.#closed && !subscription.closed;
    // It was tried again and is parked again: the log may still show what was before.
    if (cursor.lately?.isParked(offset) === true) await cursor.lately.forget(outbox.written());
    const attempts = await parkedAttempts(request, this.#options, goesOn);
    if (attempts === undefined) return;
    const isRetry = request.type === 'DeliveryRetryRequested';
    if (isRetry && (await wasDeleted(request.data, this.#options, goesOn))) return;
    // Last, since a replay may deliver it while the log is read.
    if (cursor.lately?.isParked(offset) === false) return;
    if (goesOn()) this.#actOnParked(request, { subscription, cursor, attempts });
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
  #actOnParked(
    request: ActRequest,
    { subscription, cursor, attempts }: { subscription: Subscription; cursor: SourceCursor; attempts: number },
  ): void {
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
