// The message of retention (topic `retention`): the time before which views and the log delete records.
import type { Millis, MessageOf } from '../message.ts';

export type RetentionEvent = MessageOf<{
  /** Older records are deleted for ever. The times never decrease. */
  RetentionMoved: {
    /** For triggers, and for events, runs and deliveries by the time of the event or run. */
    readonly before: Millis;
    /** For outcomes of hooks: those that an unfinished deploy resumes from are kept. */
    readonly hooksBefore: Millis;
    /** The time by which this was decided. Absent: written by an earlier version. */
    readonly clock?: Millis;
  };
}>;

export type RetentionMoved = RetentionEvent['data'];

/** The key of every record on `retention`: only the newest counts. */
export const retentionKey = 'retention';
