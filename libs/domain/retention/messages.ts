// How long what passes is kept (topic `retention`): a fact, which views are cut by and the log is trimmed by.
import type { Millis, MessageOf } from '../message.ts';

export type RetentionEvent = MessageOf<{
  /** What is older is given up for good. Never moves back. */
  RetentionMoved: {
    /** For events, runs and deliveries, by the event's or run's time, and for triggers. */
    readonly before: Millis;
    /** For outcomes of hooks: those that a deploy under way has still to be resumed from are younger. */
    readonly hooksBefore: Millis;
    /** The time that it was decided by. Absent: written by a version that did not say. */
    readonly clock?: Millis;
  };
}>;

export type RetentionMoved = RetentionEvent['data'];

/** The key of every record on `retention`: only the newest counts. */
export const retentionKey = 'retention';
