// A sample of each record about accounts, for the specs that spoil them field by field.
import type { AccountCommand, AccountDefinition, AccountEvent } from './messages.ts';

type Samples<M extends { readonly type: string; readonly data: unknown }> = {
  readonly [Type in M['type']]: Extract<M, { readonly type: Type }>['data'];
};

const accountId = 'apn_1';
const sealed = { $sealed: 'AAAA' };
const account = {
  accountId,
  userId: 'u_1',
  app: 'github',
  name: 'n',
  credentials: sealed,
  fields: ['oauth_access_token'],
};
const changes = { accountId, name: 'n', credentials: sealed, fields: ['oauth_access_token'] };
const request = { fingerprint: 'f', requestKey: 'k' };
const refused = { accountId, reason: 'account_in_use', message: 'm' } as const;

export const accountCommands: Samples<AccountCommand> = {
  CreateAccount: { ...account, ...request },
  UpdateAccount: changes,
  DeleteAccount: { accountId, force: true },
};

export const accountEvents: Samples<AccountEvent> = {
  AccountCreated: { ...account, ...request },
  AccountCreateRefused: { ...refused, existingId: 'apn_2' },
  AccountUpdated: changes,
  AccountUpdateRefused: refused,
  AccountDeleted: { accountId, createdAt: 1 },
  AccountDeleteRefused: { ...refused, sources: [{ id: 'dc_1', name: 'n' }] },
};

export const accountDefinitions: Samples<AccountDefinition> = {
  AccountDefined: { ...account, createdAt: 1, madeBy: { key: 'k', fingerprint: 'f', answeredAt: 1 } },
};
