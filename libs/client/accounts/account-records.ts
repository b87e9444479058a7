// Types of accounts and apps in API responses (docs/api.md, "Accounts").

export type Credentials = Readonly<Record<string, string>>;

/** Times are ISO 8601. */
export interface Account {
  readonly id: string;
  readonly name: string | null;
  readonly app: { readonly id: string; readonly name_slug: string; readonly name: string };
  readonly credential_fields: readonly string[];
  /** Only if requested. */
  readonly credentials?: Credentials;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface App {
  readonly id: string;
  readonly name_slug: string;
  readonly name: string;
  readonly auth_type: 'oauth' | 'keys' | null;
  /** JSON array of `CustomField`. */
  readonly custom_fields_json: string;
  readonly has_triggers: boolean;
  readonly has_actions: boolean;
}

export interface CustomField {
  readonly name: string;
  readonly label: string;
  readonly type: 'password' | 'string';
}
