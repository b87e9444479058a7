// Calls for the API keys of a workspace (docs/api.md, "API keys").
import type { Http } from '../http.ts';
import { segment } from '../http.ts';
import type { Page } from '../records.ts';
import type { Paging, Repeatable } from '../requests.ts';
import type { ApiKey, NewApiKey, Scope } from './api-key-records.ts';

export interface NewApiKeyRequest {
  readonly name: string;
  /** If absent, those of the key that makes the request. */
  readonly scopes?: readonly Scope[];
  readonly expires_at?: number | null;
}

export class ApiKeys {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Only this response has the key itself. */
  async create(body: NewApiKeyRequest, { idempotencyKey }: Repeatable = {}): Promise<NewApiKey> {
    const call = { method: 'POST', path: 'api_keys', body, idempotencyKey } as const;
    return (await this.#http.call<{ readonly data: NewApiKey }>(call)).data;
  }

  list(paging: Paging = {}): Promise<Page<ApiKey>> {
    return this.#http.call({ method: 'GET', path: 'api_keys', query: paging });
  }

  async get(id: string): Promise<ApiKey> {
    const call = { method: 'GET', path: `api_keys/${segment(id)}` } as const;
    return (await this.#http.call<{ readonly data: ApiKey }>(call)).data;
  }

  /** Within a second the key is rejected everywhere. */
  async delete(id: string): Promise<void> {
    await this.#http.call({ method: 'DELETE', path: `api_keys/${segment(id)}` });
  }
}
