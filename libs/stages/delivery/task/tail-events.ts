// Hands events from the tail to their subscriptions, in pieces, so that other work can run between them.
import type { RecordOn, RecordsOn } from '../../../domain/messages-of.ts';
import { positionKey } from '../../../log/log.ts';
import type { TaskContext } from '../../loop/stage.ts';
import { bufferedEvent, type BufferedEvent, type EmittedRecord } from '../events/buffer.ts';
import { isFilteredOut } from '../filters/subscription-filters.ts';
import { cursorOf } from '../subscriptions/cursor-of.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { DeliveryParts } from './delivery-parts.ts';

/**
 * Time for one piece. A turn of a busy loop takes as long: shorter pieces would make events wait for many turns, longer
 * ones would delay all other work.
 */
const pieceMs = 10;

export class TailEvents {
  readonly #context: Pick<TaskContext, 'partition' | 'tolerate'>;
  readonly #parts: DeliveryParts;
  #pieceEndsAt = 0;

  constructor(context: Pick<TaskContext, 'partition' | 'tolerate'>, parts: DeliveryParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /** Takes the first piece at once. A piece ends between two events, or between two subscriptions of one event. */
  take(records: RecordsOn<'channels'>, next: number): Promise<void> | void {
    const pieces = this.#pieces(records, next);
    if (!this.#takePiece(pieces)) return this.#takeRest(pieces);
  }

  async #takeRest(pieces: Iterator<void>): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (!this.#takePiece(pieces));
  }

  /** Takes one piece; returns whether it was the last one. */
  #takePiece(pieces: Iterator<void>): boolean {
    this.#pieceEndsAt = performance.now() + pieceMs;
    return pieces.next().done === true;
  }

  get #isPieceOver(): boolean {
    return performance.now() >= this.#pieceEndsAt;
  }

  *#pieces(records: RecordsOn<'channels'>, next: number): Generator<void> {
    const { tolerate } = this.#context;
    let piece: RecordOn<'channels'>[] = [];
    for (const [i, record] of records.entries()) {
      const isLast = i === records.length - 1;
      const end = records[i + 1]?.offset ?? next;
      const handover = this.#handOver(record);
      piece.push(record);
      while (tolerate(record, () => handover.next().done) === false) {
        // Readers up to the tail must now read this event too, because the tail might already have passed them.
        this.#advanceTail(piece, end);
        piece = [];
        yield;
      }
      if (isLast || !this.#isPieceOver) continue;
      this.#endPiece(piece, end);
      piece = [];
      yield;
    }
    this.#endPiece(piece, next);
  }

  #advanceTail(piece: RecordsOn<'channels'>, end: number): void {
    this.#parts.tailAt = end;
    this.#parts.index.take(piece, end);
  }

  /** Notes that everything below `end` has been handed over. */
  #endPiece(piece: RecordsOn<'channels'>, end: number): void {
    this.#advanceTail(piece, end);
    this.#parts.outbox.advancePosition(positionKey('channels', this.#context.partition), end);
  }

  *#handOver(record: RecordOn<'channels'>): Generator<void> {
    if (record.type === 'EventEmitted') yield* this.#handOverEvent(record);
    else if (record.type === 'EventsDeleted') this.#parts.deletions.addFact(record);
    else this.#parts.filterChanges.apply(record);
  }

  *#handOverEvent(record: EmittedRecord): Generator<void> {
    const { emitterId, channel } = record.data;
    const matching = this.#parts.registry.matching({ workspace: record.workspace, emitterId, channel });
    const shared: SharedEvent = { record, event: undefined };
    for (const [i, subscription] of matching.entries()) {
      this.#deliver(subscription, shared);
      if (i < matching.length - 1 && this.#isPieceOver) yield;
    }
  }

  #deliver(subscription: Subscription, shared: SharedEvent): void {
    const { buffer, outbox, expiry, dispatcher, pressure } = this.#parts;
    const { record } = shared;
    const cursor = cursorOf(subscription, record, buffer);
    if (cursor === undefined || expiry.expireFromTail(cursor, record)) return;
    if (!cursor.acceptsFromTail(record.offset)) cursor.markUnread(record.offset);
    else if (isFilteredOut(subscription, record)) outbox.touch(cursor.skipFiltered(record));
    else {
      cursor.queueFromTail((shared.event ??= bufferedEvent(record, 'tail')), record.data.event);
      dispatcher.enqueue(cursor);
      pressure.noteGrowth(cursor);
    }
    if (cursor.needsUnreadRecord) outbox.touch(cursor);
  }
}

/** An event that is buffered once for all cursors that take it. */
interface SharedEvent {
  readonly record: EmittedRecord;
  event: BufferedEvent | undefined;
}
