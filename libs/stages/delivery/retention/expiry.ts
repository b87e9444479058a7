// Gives up events that are older than retention keeps: each cursor counts its lost events, and the operator is alerted.
import { setTimeout as delay } from 'node:timers/promises';
import type { Ambient } from '../../../domain/ambient.ts';
import { matchesChannel } from '../../../domain/delivery/matching.ts';
import { expireParked } from '../../../domain/delivery/parked/parked.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { RetentionMoved } from '../../../domain/retention/messages.ts';
import { isExpiredRecord } from '../../../domain/views/deletion/expired-record.ts';
import type { Semaphore } from '../../../primitives/sharing/semaphore.ts';
import { positionKey } from '../../../log/log.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { EmittedRecord } from '../events/buffer.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import { lowestNeeded } from '../cursors/lowest-needed.ts';
import type { LinePage } from '../order/line-page.ts';
import { linePageOf } from '../cursors/by-key/line-reads.ts';
import type { SubscriptionCursor } from '../cursors/by-key/subscription-cursor.ts';
import type { Outbox } from '../outbox.ts';
import { AlertThrottle } from '../records/alert-throttle.ts';
import { withoutAnswerBytes } from '../records/attempt-records.ts';
import { eventsExpired } from '../records/delivery-alerts.ts';
import type { BlockedAlerts } from '../settling/blocked-alerts.ts';

const pageBounds = { recordsMax: 512, bytesMax: 1024 * 1024 };
/** The most waiting deliveries of one cursor that one append removes, each with a separate record. */
const begunMax = 1_000;
const takenPollMs = 20;

export interface ExpiryOptions {
  readonly context: Pick<TaskContext, 'log' | 'partition' | 'fail'>;
  readonly ambient: Ambient;
  readonly readSlots: Semaphore;
  readonly outbox: Outbox;
  readonly blocked: Pick<BlockedAlerts, 'noteEnded'>;
  readonly cursors: () => Iterable<SubscriptionCursor>;
  /** The offset that the tail has reached. */
  readonly tailAt: () => number;
  /** Called when the cursor might be able to continue. */
  readonly onFreed: (cursor: SourceCursor) => void;
}

export class Expiry {
  readonly #options: ExpiryOptions;
  #fact: RetentionMoved | undefined;
  /** The position on `retention` to report once the newest fact is carried out. */
  #pendingPosition: number | undefined;
  readonly #alertThrottle = new AlertThrottle();
  #isWorking = false;
  #closed = false;

  /** `fact`: the newest fact on the log, carried out or not. */
  constructor(options: ExpiryOptions, fact: RetentionMoved | undefined) {
    this.#options = options;
    this.#fact = fact;
  }

  /** Takes records of `retention`; the position moves once they are carried out. */
  take(records: readonly RecordOn<'retention'>[], next: number): void {
    this.#fact = records.at(-1)?.data ?? this.#fact;
    this.#pendingPosition = next;
    if (!this.#isWorking) this.#startWork();
  }

  /** Gives up an event that is already too old when the tail brings it; false: the cursor must take the event. */
  expireFromTail(cursor: SourceCursor, event: EmittedRecord): boolean {
    if (this.#fact === undefined || !isExpiredRecord('channels', event, this.#fact)) return false;
    if (!cursor.expireFromTail(event.offset)) return false;
    cursor.reportState.eventId = event.data.eventId;
    this.#recordExpiry(cursor);
    return true;
  }

  close(): void {
    this.#closed = true;
  }

  #startWork(): void {
    this.#isWorking = true;
    this.#expireAll().then(
      () => (this.#isWorking = false),
      (error: unknown) => {
        if (!this.#closed) this.#options.context.fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  async #expireAll(): Promise<void> {
    while (this.#pendingPosition !== undefined && this.#fact !== undefined && !this.#closed) {
      const next = this.#pendingPosition;
      await this.#expire(this.#fact);
      if (this.#closed || this.#pendingPosition !== next) continue;
      this.#pendingPosition = undefined;
      this.#options.outbox.advancePosition(positionKey('retention', 0), next);
    }
  }

  /** Repeats until no cursor needs an event below the first one that is kept, since cursors can fall behind. */
  async #expire(fact: RetentionMoved): Promise<void> {
    this.#expireParked(fact);
    for (let from = this.#lowestNeeded(); from < this.#options.tailAt();) {
      const keptFrom = await this.#expireUnread(from, fact);
      for (const cursor of [...this.#options.cursors()]) await this.#expireBegun(cursor, keptFrom);
      const next = this.#lowestNeeded();
      if (this.#closed || next >= keptFrom) return;
      from = next;
    }
  }

  /** Counts parked events as expired, without an alert: they were given up when they were parked. */
  #expireParked({ before }: RetentionMoved): void {
    for (const cursor of this.#options.cursors()) {
      const { position } = cursor;
      cursor.change((current) => expireParked(current, before));
      if (cursor.position !== position) this.#options.outbox.touch(cursor);
    }
  }

  #lowestNeeded(): number {
    let lowest = Infinity;
    for (const cursor of this.#options.cursors()) lowest = Math.min(lowest, lowestNeeded(cursor));
    return lowest;
  }

  /** Reads from the lowest offset needed, and returns the offset of the first event that is kept. */
  async #expireUnread(start: number, fact: RetentionMoved): Promise<number> {
    const { context, readSlots, tailAt } = this.#options;
    const lagging = this.#laggingCursors();
    const ordered = Array.from(this.#options.cursors()).filter(({ keyOrder }) => keyOrder?.isEmpty === false);
    for (let from = start; ;) {
      const to = tailAt();
      const read = () => context.log.read('channels', context.partition, from, { ...pageBounds, to });
      const page = await readSlots.run(read);
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#closed) return start;
      const firstKept = page.records.findIndex((record) => !isExpiredRecord('channels', record, fact));
      const all = firstKept < 0 ? page.records : page.records.slice(0, firstKept);
      const expired = all.filter((record) => record.type === 'EventEmitted');
      const end = page.records[firstKept]?.offset ?? (page.next > from ? page.next : to);
      this.#expireMissed(expired, end, lagging);
      for (const cursor of ordered) this.#expireLines(cursor, expired, { from, end });
      if (firstKept >= 0 || end >= to) {
        for (const cursor of [...lagging.values()].flat()) this.#moveTo(cursor, { start, end });
        return end;
      }
      from = end;
    }
  }

  /** Cursors that have events to read or to begin, by source. */
  #laggingCursors(): ReadonlyMap<string, readonly SourceCursor[]> {
    const lagging = new Map<string, SourceCursor[]>();
    for (const cursor of this.#options.cursors()) {
      if (cursor.unreadFrom === null) continue;
      const listed = lagging.get(cursor.emitterId);
      if (listed === undefined) lagging.set(cursor.emitterId, [cursor]);
      else listed.push(cursor);
    }
    return lagging;
  }

  #expireMissed(
    expired: readonly EmittedRecord[],
    end: number,
    lagging: ReadonlyMap<string, readonly SourceCursor[]>,
  ): void {
    const byEmitter = Map.groupBy(expired, ({ data }) => data.emitterId);
    for (const [emitterId, events] of byEmitter) {
      for (const cursor of lagging.get(emitterId) ?? []) {
        const { eventName, workspace } = cursor.subscription;
        const from = cursor.unreadFrom ?? Infinity;
        const missed = events.filter(
          (event) =>
            event.offset >= from && event.workspace === workspace && matchesChannel(eventName, event.data.channel),
        );
        if (missed.length > 0) this.#expireOn(cursor, missed, end);
      }
    }
  }

  /** Gives up events that wait for others of their key. */
  #expireLines(
    cursor: SubscriptionCursor,
    expired: readonly EmittedRecord[],
    at: Pick<LinePage, 'from' | 'end'>,
  ): void {
    if (cursor.expireLines({ ...linePageOf(cursor, expired), ...at }) > 0) this.#recordExpiry(cursor);
  }

  /** Moves the cursor on to `end`: it has no more events below. */
  #moveTo(cursor: SourceCursor, { start, end }: { start: number; end: number }): void {
    const from = cursor.unreadFrom;
    if (from !== null && from >= start && from < end) this.#expireOn(cursor, [], end);
  }

  #expireOn(cursor: SourceCursor, missed: readonly EmittedRecord[], end: number): void {
    cursor.fallBehind();
    cursor.expireUnread(missed.length, end);
    cursor.reportState.eventId = missed.at(-1)?.data.eventId ?? cursor.reportState.eventId;
    if (end >= this.#options.tailAt()) cursor.joinTail(end);
    if (missed.length > 0) this.#recordExpiry(cursor);
    this.#options.onFreed(cursor);
  }

  async #expireBegun(cursor: SourceCursor, below: number): Promise<void> {
    while (!this.#closed && expireBegun(cursor, below, this.#options.blocked) > 0) {
      this.#recordExpiry(cursor);
      this.#options.onFreed(cursor);
      while (!this.#closed && !cursor.subscription.closed && cursor.retries.changeCount > 0) await delay(takenPollMs);
    }
  }

  #recordExpiry(cursor: SourceCursor): void {
    const { outbox, ambient } = this.#options;
    const { subscriptionId } = cursor.subscription;
    if (this.#alertThrottle.shouldRequest(subscriptionId))
      outbox.complete(cursor, [eventsExpired(subscriptionId, ambient)], withoutAnswerBytes);
    else outbox.complete(cursor, [], 0);
  }
}

/** Gives up some begun events below the offset; returns how many. */
function expireBegun(cursor: SourceCursor, below: number, blocked: ExpiryOptions['blocked']): number {
  const expired = [...cursor.unfinished()].filter(({ offset }) => offset < below).slice(0, begunMax);
  for (const { offset } of expired) {
    blocked.noteEnded({ cursor, event: { offset } });
    cursor.finish(offset, 'overtaken');
  }
  return expired.length;
}
