// The existing accounts, folded from `connections` or restored from their definitions.
import { adjustCount } from '../definition/counts.ts';
import type { Counts } from '../definition/counts.ts';
import { updateRequest, recordRequest, madeByOf, noRequests, restoreMadeBy } from '../definition/recorded-requests.ts';
import type { RecordedRequests } from '../definition/recorded-requests.ts';
import type { Decided, LogRecord, Millis } from '../message.ts';
import type { AccountChanges, AccountDefinition, AccountEvent, NewAccount } from './messages.ts';

export interface Account extends Omit<NewAccount, 'accountId'> {
  readonly workspace: string;
  readonly createdAt: Millis;
  /** The key of the request that created it; null: the request had no Idempotency-Key. */
  readonly requestKey: string | null;
}

export interface Accounts {
  readonly byId: Map<string, Account>;
  /** The number of accounts by workspace. */
  readonly counts: Counts;
  readonly requests: RecordedRequests;
}

export const noAccounts = (requests = noRequests()): Accounts => ({ byId: new Map(), counts: new Map(), requests });

/** Undefined: the workspace has no such account. */
export function findAccount({ byId }: Accounts, accountId: string, workspace: string): Account | undefined {
  const account = byId.get(accountId);
  return account?.workspace === workspace ? account : undefined;
}

/** Updates `state` in place. */
export function evolveAccounts(state: Accounts, event: AccountEvent): Accounts {
  switch (event.type) {
    case 'AccountCreated': {
      const { workspace, at } = event;
      const { accountId, userId, app, name, credentials, fields, ...request } = event.data;
      const requestKey = recordRequest(state.requests, { workspace, id: accountId, at, request });
      const account = { userId, app, name, credentials, fields };
      return putAccount(state, accountId, { ...account, workspace, createdAt: at, requestKey });
    }
    case 'AccountUpdated': {
      const { accountId, ...changes } = event.data;
      const account = state.byId.get(accountId);
      return account === undefined ? state : putAccount(state, accountId, applyAccountChanges(account, changes));
    }
    case 'AccountDeleted':
      return removeAccount(state, event.data.accountId);
    case 'AccountCreateRefused':
    case 'AccountUpdateRefused':
    case 'AccountDeleteRefused':
      return state;
  }
}

/** Fields that are absent from the changes keep their values. */
export function applyAccountChanges<A extends Pick<NewAccount, 'name' | 'credentials' | 'fields'>>(
  account: A,
  { name, credentials, fields }: AccountChanges,
): A {
  return {
    ...account,
    ...(name === undefined ? {} : { name }),
    ...(credentials === undefined || fields === undefined ? {} : { credentials, fields }),
  };
}

/** Restores an account from a definition made by `accountDefinition`. */
export function restoreAccount(state: Accounts, { workspace, data }: AccountDefinition & LogRecord): void {
  const { accountId, madeBy: made, ...account } = data;
  const requestKey = restoreMadeBy(state.requests, made, { workspace, id: accountId });
  putAccount(state, accountId, { ...account, workspace, requestKey });
}

/** Undefined: there is no such account. */
export function accountDefinition(state: Accounts, accountId: string): Decided<AccountDefinition> | undefined {
  const account = state.byId.get(accountId);
  if (account === undefined) return undefined;
  const { workspace: _envelope, requestKey, ...fields } = account;
  const made = madeByOf(state.requests, requestKey, accountId);
  return { type: 'AccountDefined', data: { accountId, ...fields, madeBy: made } };
}

function putAccount(state: Accounts, accountId: string, account: Account): Accounts {
  if (!state.byId.has(accountId)) adjustCount(state.counts, account.workspace, 1);
  state.byId.set(accountId, account);
  return state;
}

function removeAccount(state: Accounts, accountId: string): Accounts {
  const account = state.byId.get(accountId);
  if (account === undefined) return state;
  state.byId.delete(accountId);
  adjustCount(state.counts, account.workspace, -1);
  updateRequest(state.requests, account.requestKey, accountId, { gone: true });
  return state;
}
