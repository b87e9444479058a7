// Creates, changes and deletes accounts: encrypts their credentials before these are sent anywhere.
import type { AccountCommand, NewAccount, SealedCredentials } from '../../../../domain/account/messages.ts';
import { credentialFields } from '../../../../domain/account/credentials.ts';
import type { AccountView } from '../../../../domain/views/index.ts';
import { accountsView } from '../../../../domain/views/accounts/accounts.view.ts';
import type { Command } from '../../commands/commands.ts';
import { refusalProblem } from '../../commands/refusals.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { unknownOutcome } from '../../http/api-problem.ts';
import { newResource } from '../new-resource.ts';
import { checkId, findChanged, findShown } from '../owned-documents.ts';

type CommandOf<Type extends AccountCommand['type']> = Command<Extract<AccountCommand, { readonly type: Type }>>;
type Credentials = Readonly<Record<string, string>>;

export interface AccountInput extends Pick<NewAccount, 'app' | 'name'> {
  readonly credentials: Credentials;
}

const sealCredentials = (
  parts: Parts<'secrets'>,
  { workspace }: Caller,
  credentials: Credentials,
): SealedCredentials => ({
  credentials: parts.secrets.seal(workspace, credentials),
  fields: credentialFields(credentials),
});

export async function createAccount(
  parts: Parts<'secrets' | 'views' | 'commands' | 'ambient'>,
  caller: Caller,
  input: AccountInput,
  idempotencyKey: string | null,
): Promise<AccountView> {
  const { app, name, credentials } = input;
  const { id, repeatable } = newResource(parts, caller, 'apn', { idempotencyKey, request: input });
  const account = { accountId: id, userId: caller.userId, app, name };
  const data = { ...account, ...sealCredentials(parts, caller, credentials), ...repeatable };
  const command: CommandOf<'CreateAccount'> = { type: 'CreateAccount', key: id, data };
  const outcome = await parts.commands.send(caller, command, { endings: ['AccountCreated', 'AccountCreateRefused'] });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'AccountCreated') {
    const createdView = accountsView.evolve(undefined, outcome);
    if (createdView !== undefined) return createdView;
    throw new Error('a created account has no view');
  }
  if (outcome.data.reason !== 'repeated') throw refusalProblem(outcome.data);
  return findShown<AccountView>(parts, caller, 'accounts', outcome.data.existingId ?? id);
}

export interface AccountUpdate {
  readonly name?: string | null | undefined;
  /** The complete set; null or undefined: the credentials stay unchanged. */
  readonly credentials?: Credentials | null | undefined;
}

export async function updateAccount(
  parts: Parts<'secrets' | 'views' | 'commands'>,
  caller: Caller,
  accountId: string,
  { name, credentials }: AccountUpdate,
): Promise<AccountView> {
  checkId('apn', accountId);
  const data = {
    accountId,
    ...(name === undefined ? {} : { name }),
    ...(credentials === undefined || credentials === null ? {} : sealCredentials(parts, caller, credentials)),
  };
  const command: CommandOf<'UpdateAccount'> = { type: 'UpdateAccount', key: accountId, data };
  const outcome = await parts.commands.send(caller, command, { endings: ['AccountUpdated', 'AccountUpdateRefused'] });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'AccountUpdateRefused') throw refusalProblem(outcome.data);
  return findChanged(parts, caller, accountsView, outcome);
}

export async function deleteAccount(
  parts: Parts<'commands'>,
  caller: Caller,
  accountId: string,
  force: boolean,
): Promise<void> {
  checkId('apn', accountId);
  const data = force ? { accountId, force } : { accountId };
  const command: CommandOf<'DeleteAccount'> = { type: 'DeleteAccount', key: accountId, data };
  const outcome = await parts.commands.send(caller, command, { endings: ['AccountDeleted', 'AccountDeleteRefused'] });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'AccountDeleted') return;
  const { sources } = outcome.data;
  const usingSources = sources?.map(({ id, name }) => ({ id, name }));
  throw refusalProblem(outcome.data, usingSources === undefined ? undefined : { sources: usingSources });
}
