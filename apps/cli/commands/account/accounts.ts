// `pd accounts`: the accounts of apps. Their credentials are typed unseen or read from stdin, never given as arguments.
import { text as readStream } from 'node:stream/consumers';
import type { Account, Client, Credentials, CustomField } from '../../../../libs/client/index.ts';
import { fields } from '../../output/layout/fields.ts';
import { plainLine } from '../../output/plain-text.ts';
import { isApiError } from '../../failures/explain.ts';
import { withRetries } from '../../failures/retry.ts';
import type { AddCommand } from '../../session/command.ts';
import { usageFailure } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { requireRecord } from '../../records/find.ts';
import { readNewest } from '../../records/pages.ts';
import { collectValues } from '../arguments.ts';
import { confirmAction } from '../confirm-action.ts';

/** The most that a workspace can have. */
const accountsMax = 1_000;
const credentialsHint = 'Write them to stdin as JSON, such as {"api_key": "..."}, or run this at a terminal.';

interface FieldOptions {
  readonly field?: readonly string[];
}

interface CreateOptions extends FieldOptions {
  readonly name?: string;
}

interface UpdateOptions extends CreateOptions {
  readonly credentials?: boolean;
}

interface DeleteOptions {
  readonly force?: boolean;
  readonly yes?: boolean;
}

export const addAccounts: AddCommand = (program, runner) => {
  const accounts = program
    .command('accounts')
    .summary('list, connect, change and delete accounts of apps')
    .description(
      'Accounts hold the credentials of apps. A source uses one by the id: --prop github=apn_..., for its app prop.',
    );
  accounts
    .command('list')
    .alias('ls')
    .description('Lists the accounts, the newest first. Their credentials are not shown.')
    .option('--app <slug>', 'only those of this app')
    .action(runner.run(list));
  accounts
    .command('create <app>')
    .alias('connect')
    .description('Connects an account of an app, named by its slug. Its credentials are asked for, or read from stdin.')
    .option('--name <name>', 'what to call it')
    .option(
      '--field <name>',
      'ask for this field, not for those that are known of the app; may be repeated',
      collectValues,
    )
    .action(runner.run(create));
  accounts
    .command('update <account>')
    .description('Renames an account, by id, or replaces all its credentials.')
    .option('--name <name>', 'what to call it')
    .option('--credentials', 'ask for new credentials, or read them from stdin')
    .option('--field <name>', 'with --credentials: ask for this field; may be repeated', collectValues)
    .action(runner.run(update));
  accounts
    .command('delete <account>')
    .alias('rm')
    .description('Deletes an account, by id. At a terminal it asks first.')
    .option('--force', 'also while sources use it: their runs fail from then on')
    .option('-y, --yes', 'do not ask')
    .action(runner.run(remove));
};

async function list(session: Session, { app }: { readonly app?: string }): Promise<void> {
  const { out } = session;
  const client = await session.client();
  const filter = app === undefined ? {} : { app };
  const { records, total } = await readNewest((paging) => client.accounts.list({ ...filter, ...paging }), accountsMax);
  out.printTable(records, [
    { title: 'ID', value: ({ id }) => id, isNeverCut: true },
    { title: 'APP', value: ({ app: { name_slug } }) => name_slug },
    { title: 'NAME', value: ({ name }) => plainLine(name ?? '-'), paint: out.style.name },
    { title: 'FIELDS', value: ({ credential_fields }) => credential_fields.join(', ') },
  ]);
  if (total === 0)
    out.note(app === undefined ? 'There are no accounts.' : `There are no accounts of ${plainLine(app)}.`);
}

async function create(session: Session, { name, field }: CreateOptions, app: string): Promise<void> {
  const client = await session.client();
  const credentials = await credentialsOf(session, field ?? (await knownFields(client, app)));
  const idempotencyKey = crypto.randomUUID();
  const request = { app, credentials, ...(name === undefined ? {} : { name }) };
  show(session, await withRetries(() => client.accounts.create(request, { idempotencyKey })));
}

async function update(session: Session, { name, field, credentials }: UpdateOptions, id: string): Promise<void> {
  const client = await session.client();
  const { credential_fields } = await requireRecord('account', id, client.accounts.get(id), 'pd accounts list');
  const isNew = credentials === true || field !== undefined;
  if (name === undefined && !isNew) throw usageFailure('There is nothing to change.', 'Give --name or --credentials.');
  const changes = {
    ...(name === undefined ? {} : { name }),
    ...(isNew ? { credentials: await credentialsOf(session, field ?? credential_fields) } : {}),
  };
  show(session, await withRetries(() => client.accounts.update(id, changes)));
}

async function remove(session: Session, { force = false, yes }: DeleteOptions, id: string): Promise<void> {
  const { out } = session;
  const client = await session.client();
  const account = await requireRecord('account', id, client.accounts.get(id), 'pd accounts list');
  const label = `${plainLine(account.name ?? account.app.name)} (${id})`;
  await confirmAction(session, yes === undefined ? {} : { yes }, `Delete the account ${label}?`);
  await client.accounts.delete(id, { force });
  out.printResult({ id, deleted: true }, () => `Deleted ${label}.`);
}

function show({ out }: Session, account: Account): void {
  const { id, app, name, credential_fields } = account;
  out.printResult(account, () =>
    fields(
      [
        ['id', id],
        ['app', plainLine(`${app.name} (${app.name_slug})`)],
        ['name', name === null ? null : plainLine(name)],
        ['fields', plainLine(credential_fields.join(', '))],
      ],
      out.style,
    ),
  );
}

/** The credential fields that the app declares; none for an unknown app. */
async function knownFields(client: Client, app: string): Promise<readonly string[]> {
  try {
    const { custom_fields_json } = await client.accounts.app(app);
    return (JSON.parse(custom_fields_json) as readonly CustomField[]).map(({ name }) => name);
  } catch (error) {
    if (isApiError(error) && error.status === 404) return [];
    throw error;
  }
}

/** Asks for the credentials one by one, all of them unseen; without a terminal, reads them as JSON from stdin. */
async function credentialsOf(session: Session, names: readonly string[]): Promise<Credentials> {
  const { stdin } = session.io;
  if (!session.canAsk && stdin.isTTY !== true) return readCredentials(await readStream(stdin));
  const prompts = await session.prompts('There are no credentials.', credentialsHint);
  const fieldNames = names.length > 0 ? names : [await prompts.text({ message: 'Name of the field, such as api_key' })];
  const answers: [string, string][] = [];
  for (const name of fieldNames) answers.push([name, await prompts.secret({ message: name, isOptional: true })]);
  return Object.fromEntries(answers.filter(([, answer]) => answer !== ''));
}

function readCredentials(text: string): Credentials {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Credentials;
  } catch {
    // The message does not show what was read, which can be a secret.
  }
  throw usageFailure('The credentials on stdin are no JSON object.', credentialsHint);
}
