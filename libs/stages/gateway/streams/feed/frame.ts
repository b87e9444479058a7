// Records and comments as text/event-stream writes them: JSON has no line breaks, so a record is one line of data.

/** What a client should wait before it connects again: long enough for a process that starts anew. */
const retryMs = 2_000;

/** The names of fields are short, and so are ids, which are letters, digits, `_` and `-`. */
export const frameOf = (id: string, record: object): string => `id: ${id}\ndata: ${JSON.stringify(record)}\n\n`;

/** Sent at once and then as a sign of life; the hosted service's own words. */
export const handshake = ':sse-handshake\n\n';

export const greeting = `retry: ${retryMs}\n${handshake}`;

/** Told to who resumes after a record that is not there any more. */
export const goneComment =
  ':the record that Last-Event-ID or after names is gone; what follows is everything that is left behind it\n\n';
