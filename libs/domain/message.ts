// The record: the common shape of all commands and events, on the log and elsewhere.

/** Epoch milliseconds. */
export type Millis = number;

/** The latest time of a Date; its negative is the earliest. */
export const millisMax = 8_640_000_000_000_000;

/**
 * What is appended. `type` is one PascalCase word, the same in TypeScript, on the wire and in the docs.
 * `at` is epoch milliseconds; compaction keeps the newest record of each `key`.
 */
export interface LogRecord<Type extends string = string, Data = unknown> {
  readonly id: string;
  readonly type: Type;
  readonly version: number;
  readonly key: string;
  readonly data: Data;
  readonly at: Millis;
  /** The id of the workspace, `o_...`. */
  readonly workspace: string;
  /** Shared by everything that one request or trigger led to. */
  readonly correlationId: string;
  /** The id of the record that this one follows from, or of the request at the beginning of a chain. */
  readonly causationId: string;
  /** W3C Trace Context, which the log adds at the append; absent in records of earlier versions. */
  readonly traceparent?: string;
  /** Who began the chain: an API key's id or a stage. The log takes it from the correlation; absent in older chains. */
  readonly actor?: string;
}

/** A record with its place, as the log returns it. */
export type StoredRecord<R extends LogRecord = LogRecord> = R & {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
};

/** What a message map entry becomes: `{ WebhookCreated: {...} }` -> `LogRecord<'WebhookCreated', {...}>`. */
export type MessageOf<Map> = {
  [Type in keyof Map & string]: LogRecord<Type, Map[Type]>;
}[keyof Map & string];

/** A message as a decider returns it, without the envelope, which the stage adds. */
export type Decided<M extends LogRecord> =
  M extends LogRecord<infer Type, infer Data> ? { readonly type: Type; readonly data: Data } : never;

/** A record without data, which deletes the earlier records of its key, whatever its type. */
export type Tombstone<M extends LogRecord> =
  M extends LogRecord<infer Type, unknown> ? LogRecord<Type, null | undefined> : never;
