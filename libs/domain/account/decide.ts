// Decides commands about accounts: a workspace has a bounded number, and one that sources use is deleted only by force.
import { findEarlierRequest, conflictMessage } from '../definition/recorded-requests.ts';
import type { Decided, Millis } from '../message.ts';
import { accountsMax } from './account-bounds.ts';
import { findAccount } from './accounts.ts';
import type { Accounts } from './accounts.ts';
import type { AccountCommand, AccountEvent, UsingSource } from './messages.ts';

/** How many sources a refusal names at most. */
const namedSourcesMax = 20;

export interface AccountContext {
  readonly at: Millis;
  /** The sources that use an account in any of their current revisions. */
  readonly usersOf: (accountId: string) => readonly UsingSource[];
}

type Command<Type extends string> = AccountCommand & { readonly type: Type };

export function decideAccount(
  state: Accounts,
  command: AccountCommand,
  context: AccountContext,
): readonly Decided<AccountEvent>[] {
  switch (command.type) {
    case 'CreateAccount':
      return [create(state, command, context)];
    case 'UpdateAccount':
      return [update(state, command)];
    case 'DeleteAccount':
      return [remove(state, command, context)];
  }
}

function create(
  state: Accounts,
  { data, workspace }: Command<'CreateAccount'>,
  { at }: AccountContext,
): Decided<AccountEvent> {
  const { accountId } = data;
  const earlier = findEarlierRequest(state.requests, { workspace, id: accountId, at, request: data });
  if (earlier === 'conflict' || (earlier === undefined && state.byId.has(accountId))) {
    const refused = { accountId, reason: 'idempotency_conflict', message: conflictMessage } as const;
    return { type: 'AccountCreateRefused', data: refused };
  }
  if (earlier !== undefined) {
    const message = `The same request has made account ${earlier.id} before.`;
    return { type: 'AccountCreateRefused', data: { accountId, reason: 'repeated', message, existingId: earlier.id } };
  }
  if ((state.counts.get(workspace) ?? 0) >= accountsMax) {
    const message = `The workspace has ${accountsMax} accounts: delete one of them first.`;
    return { type: 'AccountCreateRefused', data: { accountId, reason: 'too_many_accounts', message } };
  }
  return { type: 'AccountCreated', data };
}

function update(state: Accounts, { data, workspace }: Command<'UpdateAccount'>): Decided<AccountEvent> {
  if (findAccount(state, data.accountId, workspace) !== undefined) return { type: 'AccountUpdated', data };
  return { type: 'AccountUpdateRefused', data: notFound(data.accountId) };
}

function remove(
  state: Accounts,
  { data: { accountId, force }, workspace }: Command<'DeleteAccount'>,
  { usersOf }: AccountContext,
): Decided<AccountEvent> {
  const account = findAccount(state, accountId, workspace);
  if (account === undefined) return { type: 'AccountDeleteRefused', data: notFound(accountId) };
  const users = force === true ? [] : usersOf(accountId);
  if (users.length === 0) return { type: 'AccountDeleted', data: { accountId, createdAt: account.createdAt } };
  const sources = users.slice(0, namedSourcesMax);
  const message = `Sources use account ${accountId}: ${namesOf(sources)}${moreThan(users)}. Give them another account or delete them first, or delete this one with force=true; then their runs fail.`;
  return { type: 'AccountDeleteRefused', data: { accountId, reason: 'account_in_use', message, sources } };
}

const namesOf = (sources: readonly UsingSource[]): string =>
  sources.map(({ id, name }) => (name === null ? id : `${name} (${id})`)).join(', ');

const moreThan = (users: readonly UsingSource[]): string =>
  users.length > namedSourcesMax ? ` and ${users.length - namedSourcesMax} more` : '';

const notFound = (accountId: string) =>
  ({
    accountId,
    reason: 'account_not_found',
    message: `There is no account ${accountId} in this workspace. Check the id.`,
  }) as const;
