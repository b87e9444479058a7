// Formats records and comments as text/event-stream: JSON has no line breaks, so a record is one line of data.

/** How long a client should wait before it reconnects: long enough for a process to restart. */
const retryMs = 2_000;

/** An id is short, and has only letters, digits, `_` and `-`, so it needs no escaping. */
export const frameOf = (id: string, record: object): string => `id: ${id}\ndata: ${JSON.stringify(record)}\n\n`;

/** Sent at the start, and later as a heartbeat; the hosted service sends the same text. */
export const handshake = ':sse-handshake\n\n';

export const greeting = `retry: ${retryMs}\n${handshake}`;

/** Sent to a client that resumes after a record that is gone. */
export const goneComment =
  ':the record that Last-Event-ID or after names is gone; what follows is everything that is left behind it\n\n';
