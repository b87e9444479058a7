// Upper bounds of what records take beside what they carry, in bytes of JSON.

/** The tombstone of an event that no longer waits. */
export const tombstoneBytes = 512;
/** An event's envelope and ids, beside what was published. */
export const publishedOverheadBytes = 704;
/** A full segment of recent ids, and its envelope. */
export const segmentBytes = 5_248;
/** Envelopes of an event and a tombstone. */
export const dueOverheadBytes = 1_792;
/** The record that says that events are deleted: its envelope, ids and a channel's name. */
export const factBytes = 2_048;
/** What an event on `$logs` holds beside the console: its envelope, and how the run ended. */
export const logsOverheadBytes = 2_048;
