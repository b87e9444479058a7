// The data of an attempt's steps: it is due, its event is read again, it is sent.
import type { Millis } from '../../../domain/message.ts';
import type { BufferedEvent } from '../events/buffer.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import type { AttemptKind } from '../lanes/reputation.ts';
import type { Lane } from '../lanes/lane.ts';

export interface Retry {
  readonly cursor: SourceCursor;
  readonly offset: number;
  /** When the delivery was due when this retry was queued: if that has changed, the retry is out of date. */
  readonly expectedDueAt: Millis;
  /** The due time on the clock of the dispatcher's waits. */
  readonly dueAt: number;
}

/** The slot that an attempt uses. */
export interface AttemptSlot {
  readonly lane: Lane;
  readonly kind: AttemptKind;
}

export interface RereadAttempt extends AttemptSlot {
  readonly cursor: SourceCursor;
  readonly offset: number;
  readonly event: BufferedEvent | undefined;
}

export interface Sending extends AttemptSlot {
  readonly cursor: SourceCursor;
  readonly event: BufferedEvent;
  /** The attempt's number, from 1. */
  readonly number: number;
}
