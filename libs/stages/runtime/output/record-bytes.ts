// Upper bounds of the sizes of records without their payloads, in bytes of JSON.

/** The tombstone of an emit that no longer waits. */
export const tombstoneBytes = 512;
/** A published event's envelope and ids. */
export const publishedOverheadBytes = 704;
/** A full segment of recent ids, and its envelope. */
export const segmentBytes = 5_248;
/** The envelopes of an event and a tombstone. */
export const dueOverheadBytes = 1_792;
/** The record of a deletion of events: its envelope, ids and a channel's name. */
export const factBytes = 2_048;
/** An event on `$logs` without the console: its envelope, and how the run ended. */
export const logsOverheadBytes = 2_048;
