// `pd keys`: the API keys of the workspace.
import { InvalidArgumentError, Option } from 'commander';
import type { ApiKey, Scope } from '../../../../libs/client/index.ts';
import { fields } from '../../output/layout/fields.ts';
import { plainLine } from '../../output/plain-text.ts';
import { formatLocalTime } from '../../output/times.ts';
import { withRetries } from '../../failures/retry.ts';
import type { AddCommand } from '../../session/command.ts';
import type { Session } from '../../session/session.ts';
import { requireRecord } from '../../records/find.ts';
import { readNewest } from '../../records/pages.ts';
import { confirmAction } from '../confirm-action.ts';

/** The most that a workspace can have. */
const keysMax = 100;
const dayMs = 24 * 3_600_000;

interface CreateOptions {
  readonly scope?: Scope;
  readonly expires?: number;
}

export const addKeys: AddCommand = (program, runner) => {
  const keys = program
    .command('keys')
    .summary('list, create and delete API keys')
    .description('API keys give access to the API: each may be limited to reading, and to a time.');
  keys
    .command('list')
    .alias('ls')
    .description('Lists the API keys, the newest first. The keys themselves are never shown.')
    .action(runner.run(list));
  keys
    .command('create <name>')
    .description('Creates an API key and shows it. The key is not shown again.')
    .addOption(
      new Option('--scope <scope>', 'only this; without it, what your own key may do').choices([
        'read',
        'write',
        'audit',
      ]),
    )
    .option('--expires <days>', 'days until it expires', daysOf)
    .action(runner.run(create));
  keys
    .command('delete <key>')
    .alias('rm')
    .description('Deletes an API key, by id: within a second it is refused everywhere. At a terminal it asks first.')
    .option('-y, --yes', 'do not ask')
    .action(runner.run(remove));
};

function daysOf(text: string): number {
  const days = Number(text);
  if (text.trim() === '' || !(days > 0) || days > 36_500)
    throw new InvalidArgumentError('It must be a number of days, at most 36500.');
  return days;
}

async function list(session: Session): Promise<void> {
  const { out } = session;
  const client = await session.client();
  const { records } = await readNewest((paging) => client.apiKeys.list(paging), keysMax);
  const timeOf = (at: number | null): string => (at === null ? 'never' : formatLocalTime(at));
  out.printTable(records, [
    { title: 'ID', value: ({ id }) => id, isNeverCut: true },
    { title: 'NAME', value: ({ name }) => plainLine(name), paint: out.style.name },
    { title: 'KEY', value: ({ hint }) => (hint === null ? '-' : `${hint}...`), isOptional: true },
    { title: 'SCOPES', value: ({ scopes }) => scopes.join(', ') },
    { title: 'LAST USED', value: ({ last_used_at }) => timeOf(last_used_at), isNeverCut: true, isOptional: true },
    { title: 'EXPIRES', value: ({ expires_at }) => timeOf(expires_at), isNeverCut: true },
  ]);
}

async function create(session: Session, { scope, expires }: CreateOptions, name: string): Promise<void> {
  const { out } = session;
  const client = await session.client();
  const scopes: { readonly scopes?: readonly Scope[] } = scope === undefined ? {} : { scopes: [scope] };
  const request = {
    name,
    ...scopes,
    ...(expires === undefined ? {} : { expires_at: Math.round(Date.now() + expires * dayMs) }),
  };
  const idempotencyKey = crypto.randomUUID();
  const created = await withRetries(() => client.apiKeys.create(request, { idempotencyKey }));
  out.printResult(created, () =>
    fields(
      [
        ['id', created.id],
        ['key', created.key],
        ['scopes', created.scopes.join(', ')],
        ['expires', created.expires_at === null ? null : formatLocalTime(created.expires_at)],
      ],
      out.style,
    ),
  );
  out.note('Keep the key: it is shown only now.');
}

async function remove(session: Session, options: { readonly yes?: boolean }, id: string): Promise<void> {
  const { out } = session;
  const client = await session.client();
  const { name }: ApiKey = await requireRecord('API key', id, client.apiKeys.get(id), 'pd keys list');
  await confirmAction(session, options, `Delete the API key ${plainLine(name)} (${id})?`);
  await client.apiKeys.delete(id);
  out.printResult({ id, deleted: true }, () => `Deleted ${plainLine(name)} (${id}).`);
}
