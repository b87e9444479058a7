// View `accounts`: each account, its credentials sealed as on the log.
import { applyAccountChanges } from '../../account/accounts.ts';
import type { AccountEvent } from '../../account/messages.ts';
import type { View } from '../view.ts';

export type AccountView = {
  readonly workspace: string;
  readonly accountId: string;
  readonly userId: string;
  readonly app: string;
  readonly name: string | null;
  /** JSON object of texts under the workspace's data key: anyone who may see it gets it from the gateway alone. */
  readonly credentials: { readonly $sealed: string };
  /** Names of its fields. */
  readonly fields: readonly string[];
  /** Epoch ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
};

type AccountChange = Extract<AccountEvent, { type: 'AccountCreated' | 'AccountUpdated' | 'AccountDeleted' }>;

const types: ReadonlySet<string> = new Set<AccountChange['type']>([
  'AccountCreated',
  'AccountUpdated',
  'AccountDeleted',
]);

const isChange = (event: AccountEvent): event is AccountChange => types.has(event.type);

export const accountsView: View<'connections', AccountView> = {
  definition: {
    name: 'accounts',
    indexes: { byWorkspace: ['workspace', 'createdAt'], byApp: ['workspace', 'app', 'createdAt'] },
  },
  topics: ['connections'],

  idOf: (record) => (isChange(record) ? record.data.accountId : undefined),

  needsCurrent: ({ type }) => type === 'AccountUpdated',

  evolve(current, record) {
    if (!isChange(record)) return current;
    const { workspace, at } = record;
    switch (record.type) {
      case 'AccountCreated': {
        const { accountId, userId, app, name, credentials, fields } = record.data;
        const credentialFields = { credentials: { $sealed: credentials.$sealed }, fields };
        return { workspace, accountId, userId, app, name, ...credentialFields, createdAt: at, updatedAt: at };
      }
      case 'AccountUpdated':
        return current && { ...applyAccountChanges(current, record.data), updatedAt: at };
      case 'AccountDeleted':
        return undefined;
    }
  },
};
