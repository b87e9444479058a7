// Data stores and what is in them, as the API answers with them.
export interface StoredData {
  readonly id: string;
  readonly name: string;
  readonly keys: number;
  /** Of keys and values as JSON. */
  readonly bytes: number;
  /** Epoch seconds. */
  readonly created_at: number;
}

export interface StoredEntry {
  readonly key: string;
  readonly value: unknown;
  /** Epoch milliseconds; null: it stays. */
  readonly expires_at: number | null;
}
