// `pd deploy`: deploys a source from a file, a URL or a saved component.
import type { Client, NewSource } from '../../../../libs/client/index.ts';
import { plainLine, plainText } from '../../output/plain-text.ts';
import { endpointOf, showSource } from '../../output/show-source.ts';
import type { AddCommand } from '../../session/command.ts';
import { exitCodes, usageFailure } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { deployWithProps } from '../../props/deploy-with-props.ts';
import { readPropOptions } from '../../props/prop-options.ts';
import type { PropOptions } from '../../props/prop-options.ts';
import { requireRecord } from '../../records/find.ts';
import { readAll } from '../../records/pages.ts';
import { interruption } from '../../streams/interrupt.ts';
import { printEvents } from '../../streams/follow-source.ts';
import { collectValues } from '../arguments.ts';
import { codeOf, codeOfKey, refuseUnknownCode } from '../../props/code.ts';
import type { Code } from '../../props/code.ts';
import { DeployOnce } from '../../requests/deploy-once.ts';

interface DeployOptions extends PropOptions {
  readonly name?: string;
  readonly channel?: boolean;
  readonly detach?: boolean;
  readonly promptAll?: boolean;
}

const description = `Deploys a source, and at a terminal shows its events until Ctrl-C; the source stays.

At a terminal it asks for props that the component needs and were not given. With --json, or where stdout is no terminal, it prints the source's record and ends.

Without CODE it asks at a terminal which of the workspace's saved components to deploy; elsewhere that is refused. It does not list the components of the registry, as the hosted \`pd deploy\` does: name one by its key, such as github-new-commit.`;

export const addDeploy: AddCommand = (program, runner) => {
  program
    .command('deploy')
    .summary('deploy a source')
    .description(description)
    .argument(
      '[code]',
      'a file, an http or https URL, the id of a saved component, or a key: published, saved, or of the registry',
    )
    .option('--name <name>', "its name; the component's own by default")
    .option('--channel', 'a channel, which has a --name and no code: `pd emit` publishes events on it')
    .option('--prop <name=value>', 'a prop; may be repeated', collectValues)
    .option('--props <file>', 'props as a JSON object, from a file or - for stdin')
    .option('--prompt-all', 'ask for every prop, also for those that are optional or have a default')
    .option('-d, --detach', 'end when it is deployed')
    .action(runner.run(deploy));
};

async function deploy(session: Session, options: DeployOptions, codeRef: string | undefined): Promise<number> {
  const { out } = session;
  if (options.channel === true) checkChannel(options, codeRef);
  const client = await session.client();
  const source =
    options.channel === true
      ? await new DeployOnce(client).deploy({ kind: 'channel', ...nameOf(options) })
      : await deployCode(session, client, options, codeRef);
  if (out.json || !out.isTerminal) {
    out.printDocument(source);
    return exitCodes.done;
  }
  reportDeployed(session, source);
  for (const { k, msg } of source.observations) out.note(plainText(`${k.replace('console.', '')}: ${msg}`));
  if (options.detach === true || source.state !== 'active') return exitCodes.done;
  out.note(`\nWaiting for events; Ctrl-C ends this, and the source stays.`);
  const { signal } = interruption();
  await printEvents(session, client, { sourceId: source.id, signal, after: undefined });
  return exitCodes.interrupted;
}

const nameOf = ({ name }: DeployOptions): { readonly name?: string } => (name === undefined ? {} : { name });

/** Throws a usage failure for options that only a source with code can have. */
function checkChannel({ name, prop, props }: DeployOptions, code: string | undefined): void {
  if (code !== undefined || prop !== undefined || props !== undefined)
    throw usageFailure('A channel has no code and no props.', 'Give its name alone: --channel --name NAME.');
  if (name === undefined) throw usageFailure('A channel needs a name.', 'Give it by --name NAME.');
}

async function deployCode(
  session: Session,
  client: Client,
  options: DeployOptions,
  codeRef: string | undefined,
): Promise<NewSource> {
  const code =
    codeRef === undefined
      ? await chooseSavedComponent(session, client)
      : await codeOfKey(client, await codeOf(codeRef));
  const propInput = await readPropOptions(session, options);
  session.out.note('Deploying ...');
  const deploys = new DeployOnce(client);
  const deployed = deployWithProps(
    session,
    client,
    { code, propInput, promptAll: options.promptAll },
    (configured_props) => deploys.deploy({ ...code, ...nameOf(options), configured_props }),
  ).catch((error: unknown) => refuseUnknownCode(error, codeRef ?? ''));
  return requireRecord('file or saved component', codeRef ?? '', deployed, 'pd list components');
}

export async function chooseSavedComponent(session: Session, client: Client): Promise<Code> {
  const prompts = await session.prompts('There is nothing to deploy.', 'Name a file, a URL, or a saved component.');
  const components = [];
  for await (const component of readAll((paging) => client.components(paging))) components.push(component);
  if (components.length === 0) throw usageFailure('There is no saved component: name a file, a URL or a key.');
  const choices = components.map(({ id, name, key, version }) => ({
    value: id,
    label: plainText(`${name} ${version}`),
    hint: plainText(key ?? id),
  }));
  return { component_id: await prompts.choose('Which component?', choices) };
}

export function reportDeployed({ out }: Session, source: NewSource): void {
  const isUnderWay = source.state === 'deploying';
  out.note(isUnderWay ? 'Still deploying: see `pd describe` for how it ends.' : out.noteStyle.good('Deploy complete.'));
  out.printLine(showSource(source, out.style));
  const endpoint = endpointOf(source);
  if (endpoint !== undefined)
    out.note(`\nTry it: curl ${plainLine(endpoint)} -H 'content-type: application/json' -d '{}'`);
}
