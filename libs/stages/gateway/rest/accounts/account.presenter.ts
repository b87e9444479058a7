// An account as the API shows it: its credentials only on request, and only to callers who may see them.
import { appIdOf, appNameOf } from '../../../../domain/account/apps/catalogue.ts';
import type { AccountView } from '../../../../domain/views/index.ts';
import type { ViewValue } from '../../../../domain/views/view.ts';
import type { AccountRecord } from './account-record.dto.ts';

type Credentials = Readonly<Record<string, string>>;

/** `credentials`: undefined if the answer shows none. */
export const presentAccount = (account: AccountView, credentials?: Credentials): AccountRecord => ({
  id: account.accountId,
  name: account.name,
  app: { id: appIdOf(account.app), name_slug: account.app, name: appNameOf(account.app) },
  credential_fields: account.fields,
  ...(credentials === undefined ? {} : { credentials }),
  created_at: new Date(account.createdAt).toISOString(),
  updated_at: new Date(account.updatedAt).toISOString(),
});

/** The texts that are searched. */
export const textsOfAccount = (value: ViewValue): readonly (string | null)[] => {
  const { accountId, name, app } = value as AccountView;
  return [accountId, name, app];
};
