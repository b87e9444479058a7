// Calls for the accounts of a workspace, and the apps that they belong to (docs/api.md, "Accounts").
import type { Http } from '../http.ts';
import { segment } from '../http.ts';
import type { Page } from '../records.ts';
import type { Paging, Repeatable, Search } from '../requests.ts';
import type { Account, App, Credentials } from './account-records.ts';

export interface NewAccountRequest {
  /** Slug. */
  readonly app: string;
  readonly name?: string;
  readonly credentials: Credentials;
}

/** Absent fields do not change; credentials are replaced as a whole. */
export interface AccountUpdateRequest {
  readonly name?: string | null;
  readonly credentials?: Credentials;
}

export interface AccountsRequest extends Search {
  readonly app?: string;
  /** The key needs the scope `write`. */
  readonly include_credentials?: '1';
}

export interface AppsRequest extends Paging {
  readonly q?: string;
  readonly has_components?: '1';
  readonly has_triggers?: '1';
  readonly has_actions?: '1';
}

export class Accounts {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  create(body: NewAccountRequest, { idempotencyKey }: Repeatable = {}): Promise<Account> {
    return this.#one({ method: 'POST', path: 'accounts', body, idempotencyKey });
  }

  list(query: AccountsRequest = {}): Promise<Page<Account>> {
    return this.#http.call({ method: 'GET', path: 'accounts', query });
  }

  get(id: string, query: Pick<AccountsRequest, 'include_credentials'> = {}): Promise<Account> {
    return this.#one({ method: 'GET', path: `accounts/${segment(id)}`, query });
  }

  update(id: string, body: AccountUpdateRequest): Promise<Account> {
    return this.#one({ method: 'PUT', path: `accounts/${segment(id)}`, body });
  }

  /** With `force` even if sources use the account: their runs then fail. */
  async delete(id: string, { force = false }: { readonly force?: boolean } = {}): Promise<void> {
    const query = force ? { force: 'true' } : {};
    await this.#http.call({ method: 'DELETE', path: `accounts/${segment(id)}`, query });
  }

  /** By slug. */
  apps(query: AppsRequest = {}): Promise<Page<App>> {
    return this.#http.call({ method: 'GET', path: 'apps', query });
  }

  async app(idOrSlug: string): Promise<App> {
    const call = { method: 'GET', path: `apps/${segment(idOrSlug)}` } as const;
    return (await this.#http.call<{ readonly data: App }>(call)).data;
  }

  async #one(call: Parameters<Http['call']>[0]): Promise<Account> {
    return (await this.#http.call<{ readonly data: Account }>(call)).data;
  }
}
