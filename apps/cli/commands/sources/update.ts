// `pd update` and `pd delete`: change and delete an existing source.
import type { Client, Source, UpdateRequest } from '../../../../libs/client/index.ts';
import { plainLine, plainText } from '../../output/plain-text.ts';
import { showSource } from '../../output/show-source.ts';
import type { AddCommand } from '../../session/command.ts';
import { usageFailure } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { readPropOptions, typedProps } from '../../props/prop-options.ts';
import type { PropOptions } from '../../props/prop-options.ts';
import { findSource } from '../../records/find.ts';
import { confirmAction } from '../confirm-action.ts';
import { collectValues } from '../arguments.ts';
import { codeOf, codeOfKey, refuseUnknownCode } from '../../props/code.ts';
import type { Code } from '../../props/code.ts';

interface UpdateOptions extends PropOptions {
  readonly code?: string;
  readonly name?: string;
  readonly activate?: boolean;
  readonly deactivate?: boolean;
  readonly ignoreHookErrors?: boolean;
}

interface DeleteOptions {
  readonly yes?: boolean;
  readonly ignoreHookErrors?: boolean;
}

const ignoreHookErrorsHelp = 'continue even if the hook `deactivate` throws';

export const addUpdate: AddCommand = (program, runner) => {
  program
    .command('update <source>')
    .summary('change the code, props, name or state of a source')
    .description('Changes what is given, and leaves the rest: endpoint, db, events and subscriptions stay.')
    .option('--code <code>', 'a file, a URL, the id of a saved component, or a key')
    .option('--name <name>', 'a new name')
    .option('--prop <name=value>', 'a prop; may be repeated', collectValues)
    .option('--props <file>', 'props as a JSON object, from a file or - for stdin; null removes a value')
    .option('--activate', 'make it run again')
    .option('--deactivate', 'stop it, and keep it')
    .option('--ignore-hook-errors', ignoreHookErrorsHelp)
    .action(runner.run(update));
  program
    .command('delete <source>')
    .alias('rm')
    .summary('delete a source')
    .description('Deletes a source and the subscriptions to it. At a terminal it asks first.')
    .option('-y, --yes', 'do not ask')
    .option('--ignore-hook-errors', ignoreHookErrorsHelp)
    .action(runner.run(remove));
};

async function update(session: Session, options: UpdateOptions, nameOrId: string): Promise<void> {
  const { out } = session;
  if (options.activate === true && options.deactivate === true)
    throw usageFailure('--activate and --deactivate do not go together.');
  const client = await session.client();
  const source = await findSource(client, nameOrId);
  const request = { ...(await newCode(client, options)), ...(await requestOf(session, options, source)) };
  if (Object.keys(request).length === 0)
    throw usageFailure('There is nothing to change.', '`pd help update` shows what can be.');
  const hooks = options.ignoreHookErrors === true ? { ignore_hook_errors: true } : {};
  const updated = await client
    .updateSource(source.id, { ...request, ...hooks })
    .catch((error: unknown) => refuseUnknownCode(error, options.code ?? ''));
  for (const { k, msg } of updated.observations ?? []) out.note(plainText(`${k.replace('console.', '')}: ${msg}`));
  if (updated.state === 'updating') out.note('Still updating: see `pd describe` for how it ends.');
  out.printResult(updated, () => showSource(updated, out.style));
}

const newCode = async (client: Client, { code }: UpdateOptions): Promise<Code> =>
  code === undefined ? {} : codeOfKey(client, await codeOf(code));

async function requestOf(session: Session, options: UpdateOptions, source: Source): Promise<UpdateRequest> {
  const props = typedProps(await readPropOptions(session, options), source.configurable_props);
  return {
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(Object.keys(props).length === 0 ? {} : { configured_props: props }),
    ...(options.activate === true ? { active: true } : {}),
    ...(options.deactivate === true ? { active: false } : {}),
  };
}

async function remove(session: Session, options: DeleteOptions, nameOrId: string): Promise<void> {
  const { out } = session;
  const client = await session.client();
  const { id, name } = await findSource(client, nameOrId);
  const label = plainLine(name === null ? id : `${name} (${id})`);
  await confirmAction(session, options, `Delete the source ${label}?`);
  await client.deleteSource(id, options.ignoreHookErrors === true ? { ignore_hook_errors: true } : undefined);
  out.printResult({ id, deleted: true }, () => `Deleted ${label}.`);
}
