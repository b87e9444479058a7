// `pd keys`: the API keys of the workspace.
import { InvalidArgumentError, Option } from 'commander';
import type { ApiKey, Scope } from '../../../../libs/client/index.ts';
import { fields } from '../../output/layout/fields.ts';
import { plainLine } from '../../output/plain-text.ts';
import { localTime } from '../../output/times.ts';
import { repeating } from '../../failures/repeating.ts';
import type { AddCommand } from '../../session/command.ts';
import type { Session } from '../../session/session.ts';
import { shown } from '../../records/find.ts';
import { newest } from '../../records/pages.ts';
import { confirmed } from '../confirmed.ts';

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
  const { records } = await newest((paging) => client.apiKeys.list(paging), keysMax);
  const timeOf = (at: number | null): string => (at === null ? 'never' : localTime(at));
  out.table(records, [
    { title: 'ID', of: ({ id }) => id, isWhole: true },
    { title: 'NAME', of: ({ name }) => plainLine(name), paint: out.style.name },
    { title: 'KEY', of: ({ hint }) => (hint === null ? '-' : `${hint}...`), isSpare: true },
    { title: 'SCOPES', of: ({ scopes }) => scopes.join(', ') },
    { title: 'LAST USED', of: ({ last_used_at }) => timeOf(last_used_at), isWhole: true, isSpare: true },
    { title: 'EXPIRES', of: ({ expires_at }) => timeOf(expires_at), isWhole: true },
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
  const made = await repeating(() => client.apiKeys.create(request, { idempotencyKey }));
  out.result(made, () =>
    fields(
      [
        ['id', made.id],
        ['key', made.key],
        ['scopes', made.scopes.join(', ')],
        ['expires', made.expires_at === null ? null : localTime(made.expires_at)],
      ],
      out.style,
    ),
  );
  out.note('Keep the key: it is shown only now.');
}

async function remove(session: Session, options: { readonly yes?: boolean }, id: string): Promise<void> {
  const { out } = session;
  const client = await session.client();
  const { name }: ApiKey = await shown('API key', id, client.apiKeys.get(id), 'pd keys list');
  await confirmed(session, options, `Delete the API key ${plainLine(name)} (${id})?`);
  await client.apiKeys.delete(id);
  out.result({ id, deleted: true }, () => `Deleted ${plainLine(name)} (${id}).`);
}
