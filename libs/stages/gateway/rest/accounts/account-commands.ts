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
import { checkId, findChanged, findShown } from '../owned.ts';

type Of<Type extends AccountCommand['type']> = Command<Extract<AccountCommand, { readonly type: Type }>>;
type Credentials = Readonly<Record<string, string>>;

export interface AskedAccount extends Pick<NewAccount, 'app' | 'name'> {
  readonly credentials: Credentials;
}

const sealedCredentials = (parts: Parts<'secrets'>, { workspace }: Caller, given: Credentials): SealedCredentials => ({
  credentials: parts.secrets.seal(workspace, given),
  fields: credentialFields(given),
});

export async function createAccount(
  parts: Parts<'secrets' | 'views' | 'commands' | 'ambient'>,
  caller: Caller,
  asked: AskedAccount,
  idempotencyKey: string | null,
): Promise<AccountView> {
  const { app, name, credentials } = asked;
  const { id, repeatable } = newResource(parts, caller, 'apn', { idempotencyKey, request: asked });
  const account = { accountId: id, userId: caller.userId, app, name };
  const data = { ...account, ...sealedCredentials(parts, caller, credentials), ...repeatable };
  const command: Of<'CreateAccount'> = { type: 'CreateAccount', key: id, data };
  const outcome = await parts.commands.send(caller, command, { endings: ['AccountCreated', 'AccountCreateRefused'] });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'AccountCreated') {
    const made = accountsView.evolve(undefined, outcome);
    if (made !== undefined) return made;
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
    ...(credentials === undefined || credentials === null ? {} : sealedCredentials(parts, caller, credentials)),
  };
  const command: Of<'UpdateAccount'> = { type: 'UpdateAccount', key: accountId, data };
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
  const command: Of<'DeleteAccount'> = { type: 'DeleteAccount', key: accountId, data };
  const outcome = await parts.commands.send(caller, command, { endings: ['AccountDeleted', 'AccountDeleteRefused'] });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'AccountDeleted') return;
  const { sources } = outcome.data;
  const using = sources?.map(({ id, name }) => ({ id, name }));
  throw refusalProblem(outcome.data, using === undefined ? undefined : { sources: using });
}
