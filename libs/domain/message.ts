// The record: the one shape that commands and events have, on the log and off it.

/** Epoch milliseconds. */
export type Millis = number;

/** The latest that a Date can have; its negative is the earliest. */
export const millisMax = 8_640_000_000_000_000;

/**
 * What is appended. `type` is one PascalCase word, the same in TypeScript, on the wire and in the docs.
 * `at` is epoch milliseconds; `key` is what compaction keeps the newest of.
 */
export interface LogRecord<Type extends string = string, Data = unknown> {
  readonly id: string;
  readonly type: Type;
  readonly version: number;
  readonly key: string;
  readonly data: Data;
  readonly at: Millis;
  /** Whose it is, `o_...`. */
  readonly workspace: string;
  /** Shared by everything that one request or trigger led to. */
  readonly correlationId: string;
  /** The id of the record that this one follows from, or of the request at the beginning of a chain. */
  readonly causationId: string;
  /** W3C Trace Context, which the log adds to what is appended; earlier programs did not. */
  readonly traceparent?: string;
  /** Who began the chain: an API key's id or a stage. The log reads it off the correlation; none where an earlier program began it. */
  readonly actor?: string;
}

/** A record as the log returns it; only the log adds its place. */
export type StoredRecord<R extends LogRecord = LogRecord> = R & {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
};

/** What a message map entry becomes: `{ WebhookCreated: {...} }` -> `LogRecord<'WebhookCreated', {...}>`. */
export type MessageOf<Map> = {
  [Type in keyof Map & string]: LogRecord<Type, Map[Type]>;
}[keyof Map & string];

/** What a decider yields: a message without the envelope, which the stage adds. */
export type Decided<M extends LogRecord> =
  M extends LogRecord<infer Type, infer Data> ? { readonly type: Type; readonly data: Data } : never;

/** Erases the record of its key, whatever its type says. */
export type Tombstone<M extends LogRecord> =
  M extends LogRecord<infer Type, unknown> ? LogRecord<Type, null | undefined> : never;
