// A position in the events of a source, as a replay's request names it.

/**
 * One end of a range of events. `value`: of an `event` its offset on `channels`, of a `time` epoch milliseconds, of a
 * `sequence` the event's number for this subscription and source; otherwise 0.
 */
export interface ReplayPosition {
  readonly by: 'earliest' | 'now' | 'event' | 'time' | 'sequence';
  readonly value: number;
}
