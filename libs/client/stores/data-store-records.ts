// Types of data stores and their entries in API responses.
export interface StoredData {
  readonly id: string;
  readonly name: string;
  readonly keys: number;
  /** The size of keys and values as JSON. */
  readonly bytes: number;
  /** Epoch seconds. */
  readonly created_at: number;
}

export interface StoredEntry {
  readonly key: string;
  readonly value: unknown;
  /** Epoch milliseconds; null: it does not expire. */
  readonly expires_at: number | null;
}
