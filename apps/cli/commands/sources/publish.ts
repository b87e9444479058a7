// `pd publish`, `pd unpublish` and `pd save`: save components, from which sources are deployed by key or id.
import type { Component, SaveRequest } from '../../../../libs/client/index.ts';
import { fields } from '../../output/layout/fields.ts';
import { plainLine } from '../../output/plain-text.ts';
import { withRetries } from '../../failures/retry.ts';
import type { AddCommand } from '../../session/command.ts';
import { usageFailure } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { codeOf, refuseFolder } from '../../props/code.ts';
import { requireRecord } from '../../records/find.ts';

export const addPublish: AddCommand = (program, runner) => {
  program
    .command('publish')
    .summary('publish a component in the workspace')
    .description(
      'Checks a component as a deploy does, saves it and publishes it: its key means it from then on, as in `pd deploy KEY`. It needs a key, and a version that is higher than the one published before. Events are not published by it: that is `pd emit`.',
    )
    .argument('<code>', 'a file, or an http or https URL')
    .action(runner.run((session, _: object, codeRef: string) => save(session, codeRef, { publish: true })));
  program
    .command('unpublish <key...>')
    .usage('[options] [component] <key>')
    .summary('withdraw a published component')
    .description(
      'The component stays saved, unless --purge is given, and sources that were deployed from it stay. A component that is not published is deleted by --purge too.',
    )
    .option('--purge', 'delete the saved component; name it by its id')
    .action(runner.run(unpublish));
  program
    .command('save')
    .summary('save a component without publishing it')
    .description(
      'Checks a component as a deploy does and saves it, to be deployed by its id. The same code is the same component.',
    )
    .argument('<code>', 'a file, or an http or https URL')
    .action(runner.run((session, _: object, codeRef: string) => save(session, codeRef, {})));
};

async function save(session: Session, codeRef: string, options: Pick<SaveRequest, 'publish'>): Promise<void> {
  const { component_id, ...code } = await codeOf(codeRef);
  if (component_id !== undefined) {
    refuseFolder(codeRef);
    throw usageFailure(`There is no file ${codeRef}.`, 'Name a file or a URL.');
  }
  const client = await session.client();
  const idempotencyKey = crypto.randomUUID();
  show(session, await withRetries(() => client.saveComponent({ ...code, ...options }, { idempotencyKey })));
}

function show({ out }: Session, component: Component): void {
  out.printResult(component, () =>
    fields(
      [
        ['id', component.id],
        ['key', component.key === null ? null : plainLine(component.key)],
        ['name', plainLine(component.name)],
        ['version', plainLine(component.version)],
      ],
      out.style,
    ),
  );
}

/** `pd unpublish component acme-orders`, or without the word `component`. */
async function unpublish(
  session: Session,
  { purge = false }: { readonly purge?: boolean },
  words: readonly string[],
): Promise<void> {
  const [kind = '', key = kind, ...others] = words;
  if (others.length > 0 || (words.length > 1 && kind !== 'component'))
    throw usageFailure(`It cannot unpublish "${words.join(' ')}".`, 'Name one component: pd unpublish component KEY.');
  const client = await session.client();
  const { out } = session;
  if (purge) {
    if (!key.startsWith('sc_'))
      throw usageFailure(`"${key}" is no id of a component.`, 'Name it by its id: pd list components.');
    await requireRecord('saved component', key, client.deleteComponent(key), 'pd list components');
    out.printResult({ key, deleted: true }, () => `${plainLine(key)} is deleted.`);
    return;
  }
  await requireRecord('published component', key, client.unpublishComponent(key), 'pd list published');
  out.printResult({ key, unpublished: true }, () => `${plainLine(key)} is not published any more.`);
}
