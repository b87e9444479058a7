// The form in which a record is sent to Kafka: its partition, and its content in a batch.

export type Headers = Readonly<Record<string, string>>;

/** One record ready to be sent. */
export interface OutboundRecord {
  /** With the prefix. */
  readonly topic: string;
  readonly partition: number;
  readonly key: string;
  /** null: a tombstone. */
  readonly value: string | null;
  readonly headers: Headers;
  /** Epoch milliseconds, which retention and reading by time use. */
  readonly timestamp: string;
  /** An upper estimate of the record's size in a batch. */
  readonly bytes: number;
}
