// The shapes of records about accounts; records that do not match are not used.
import { madeBy, repeatable } from '../definition/shapes.ts';
import { flag, ident, list, millis, nullable, object, oneOf, optional, sealed, text } from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import type { AccountCommand, AccountDefinition, AccountEvent, UsingSource } from './messages.ts';

const accountId = { accountId: ident };
const account = {
  ...accountId,
  userId: ident,
  app: ident,
  name: nullable(text),
  credentials: sealed,
  fields: list(text),
};
const changes = {
  ...accountId,
  name: optional(nullable(text)),
  credentials: optional(sealed),
  fields: optional(list(text)),
};

export const accountCommands: ShapesOf<AccountCommand> = {
  CreateAccount: { ...repeatable, ...account },
  UpdateAccount: changes,
  DeleteAccount: { ...accountId, force: optional(flag) },
};

const refused = {
  ...accountId,
  reason: oneOf(
    'repeated',
    'idempotency_conflict',
    'account_not_found',
    'account_in_use',
    'too_many_accounts',
    'malformed',
  ),
  message: text,
};

export const accountEvents: ShapesOf<AccountEvent> = {
  AccountCreated: { ...repeatable, ...account },
  AccountCreateRefused: { ...refused, existingId: optional(text) },
  AccountUpdated: changes,
  AccountUpdateRefused: refused,
  AccountDeleted: { ...accountId, createdAt: millis },
  AccountDeleteRefused: {
    ...refused,
    sources: optional(list(object<UsingSource>({ id: ident, name: nullable(text) }))),
  },
};

export const accountDefinitions: ShapesOf<AccountDefinition> = {
  AccountDefined: {
    ...account,
    createdAt: millis,
    madeBy,
  },
};
