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
      const taking = this.#taking(record);
      piece.push(record);
      while (tolerate(record, () => taking.next().done) === false) {
        // Readers up to the tail must now read this event too, because the tail might already have passed them.
        this.#reach(piece, end);
        piece = [];
        yield;
      }
      if (isLast || !this.#isPieceOver) continue;
      this.#end(piece, end);
      piece = [];
      yield;
    }
    this.#end(piece, next);
  }

  #reach(piece: RecordsOn<'channels'>, end: number): void {
    this.#parts.tailAt = end;
    this.#parts.index.take(piece, end);
  }

  /** Notes that everything below `end` has been handed over. */
  #end(piece: RecordsOn<'channels'>, end: number): void {
    this.#reach(piece, end);
    this.#parts.outbox.moved(positionKey('channels', this.#context.partition), end);
  }

  *#taking(record: RecordOn<'channels'>): Generator<void> {
    if (record.type === 'EventEmitted') yield* this.#takingEvent(record);
    else if (record.type === 'EventsDeleted') this.#parts.deletions.take(record);
    else this.#parts.filterChanges.take(record);
  }

  *#takingEvent(record: EmittedRecord): Generator<void> {
    const { emitterId, channel } = record.data;
    const matching = this.#parts.registry.matching({ workspace: record.workspace, emitterId, channel });
    const shared: Shared = { record, event: undefined };
    for (const [i, subscription] of matching.entries()) {
      this.#give(subscription, shared);
      if (i < matching.length - 1 && this.#isPieceOver) yield;
    }
  }

  #give(subscription: Subscription, shared: Shared): void {
    const { buffer, outbox, expiry, dispatcher, pressure } = this.#parts;
    const { record } = shared;
    const cursor = cursorOf(subscription, record, buffer);
    if (cursor === undefined || expiry.takesFromTail(cursor, record)) return;
    if (!cursor.takesFromTail(record.offset)) cursor.miss(record.offset);
    else if (isFilteredOut(subscription, record)) outbox.touch(cursor.passOver(record));
    else {
      cursor.offer((shared.event ??= bufferedEvent(record, 'tail')), record.data.event);
      dispatcher.lineUp(cursor);
      pressure.grown(cursor);
    }
    if (cursor.uncovered) outbox.touch(cursor);
  }
}

/** An event that is buffered once for all cursors that take it. */
interface Shared {
  readonly record: EmittedRecord;
  event: BufferedEvent | undefined;
}
