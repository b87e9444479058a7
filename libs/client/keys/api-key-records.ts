// Types of API keys in API responses (docs/api.md, "API keys").

/** `read`: GET and HEAD. `write`: every other method. `audit`: only history. */
export type Scope = 'read' | 'write' | 'audit';

/** Times are epoch milliseconds. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The first characters of the key; null: not known. */
  readonly hint: string | null;
  readonly created_at: number;
  /** Null: never. */
  readonly expires_at: number | null;
  /** Null: it has not been used yet. */
  readonly last_used_at: number | null;
}

export interface NewApiKey extends ApiKey {
  readonly key: string;
}
