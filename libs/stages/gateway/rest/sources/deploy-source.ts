// Deploys a source: answers when the process has ended, or that it is still in progress.
import type { SourceCommand, SourceEvent } from '../../../../domain/source/messages.ts';
import type { SourceSettings } from '../../../../domain/source/source-settings.ts';
import type { Json, JsonObject } from '../../../../domain/json.ts';
import type { SourceView } from '../../../../domain/views/index.ts';
import { asJson } from '../../../../domain/views/view.ts';
import type { Command } from '../../commands/commands.ts';
import { refusalProblem } from '../../commands/refusals.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { OutcomeOf } from '../../control/waiting/outcomes.ts';
import type { Parts } from '../../parts/parts.ts';
import { loadProgram } from '../code/code-reference.ts';
import type { CodeReference } from '../code/code-reference.ts';
import { checkProgram } from '../code/check-program.ts';
import { presentErrorDetails } from '../code/error-details.presenter.ts';
import { hostSafe, randomText } from '../../random-text.ts';
import { newResource } from '../new-resource.ts';
import type { ChannelInput } from './channel/code-or-channel.ts';
import { checkConfiguredProps } from './configured-props.ts';
import { waitForDeployEnd } from './wait-for-deploy-end.ts';
import { findScheduled } from './runs/next-run.ts';

type DeploySource = Extract<SourceCommand, { type: 'DeploySource' }>;
type DeployRefusal = Extract<SourceEvent, { type: 'SourceDeployRefused' }>['data'];

export interface DeployInput {
  readonly reference: CodeReference | ChannelInput;
  readonly name: string | null;
  readonly configuredProps: JsonObject;
  readonly settings?: SourceSettings | undefined;
}

/** 134 bits: the endpoint's URL is a secret. */
const endpointKeyLength = 26;
/** The revision in a refusal of a deploy that did not begin. */
const noRevision = 0;

/** The source in its current state: `active`, or `deploying` if that takes longer than a request should. */
export async function deploySource(
  parts: Parts<'secrets' | 'views' | 'commands' | 'ambient' | 'limits' | 'log' | 'watch'>,
  caller: Caller,
  deploy: DeployInput,
  idempotencyKey: string | null,
): Promise<SourceView> {
  checkConfiguredProps(deploy.configuredProps);
  const { id, repeatable } = newResource(parts, caller, 'dc', { idempotencyKey, request: requestOf(deploy) });
  const program =
    'kind' in deploy.reference ? { code: '' } : await loadProgram(parts, caller, deploy.reference, repeatable);
  checkProgram(program);
  const command: Command<DeploySource> = {
    type: 'DeploySource',
    key: id,
    data: {
      sourceId: id,
      userId: caller.userId,
      ...repeatable,
      ...program,
      name: deploy.name,
      configuredProps: parts.secrets.seal(caller.workspace, deploy.configuredProps),
      endpointKey: randomText(parts.ambient, hostSafe, endpointKeyLength),
      ...(deploy.settings === undefined ? {} : { settings: deploy.settings }),
      ...('kind' in deploy.reference ? { kind: deploy.reference.kind } : {}),
    },
  };
  const first = await sendDeploy(parts, caller, command);
  const isRepeat = first?.type === 'SourceDeployRefused';
  // If the deploy is refused while its repeat waits, sending the repeat once more answers it with the refusal, too.
  const outcome =
    isRepeat && (await waitForDeployEnd(parts, sourceIdOf(first))) ? await sendDeploy(parts, caller, command) : first;
  const source = await findScheduled(parts, caller, outcome === undefined ? id : sourceIdOf(outcome));
  // Another process might have begun since, with its own console.
  return outcome?.type === 'SourceDeployed' ? { ...source, console: asJson(outcome.data.console) } : source;
}

type Outcome = OutcomeOf<'SourceDeployed' | 'SourceDeployRefused'>;

/** The outcome; a refusal only if the same request has created a source before. Throws ApiProblem for others. */
async function sendDeploy(
  { commands }: Parts<'commands'>,
  caller: Caller,
  command: Command<DeploySource>,
): Promise<Outcome | undefined> {
  const endings = { endings: ['SourceDeployed', 'SourceDeployRefused'], beginning: 'SourceDeploying' } as const;
  const outcome = await commands.send(caller, command, endings);
  const isRefused = outcome?.type === 'SourceDeployRefused' && outcome.data.reason !== 'repeated';
  if (isRefused) throw refusalProblem(outcome.data, detailsOf(outcome.data));
  return outcome;
}

/** The id of the source that the request has created, now or before. */
const sourceIdOf = ({ type, data }: Outcome): string =>
  (type === 'SourceDeployRefused' ? data.existingId : undefined) ?? data.sourceId;

/** The request for the fingerprint: with a key or a URL, if it names code by these, and not the code. */
const requestOf = ({ reference, ...deploy }: DeployInput): object => ({ ...deploy, ...reference });

/** The source, if it can be read; the place of the error in the code or the props; the console lines before it. */
export function detailsOf({
  sourceId,
  revision,
  existingId,
  error,
  problems,
  console = [],
}: DeployRefusal): Json | undefined {
  const id = revision === noRevision ? existingId : sourceId;
  const details = {
    ...(id === undefined ? {} : { source_id: id }),
    ...(problems === undefined ? {} : { problems: problems.map(({ prop, message }) => ({ field: prop, message })) }),
    ...presentErrorDetails({ ...(error === undefined ? {} : { error }), console }),
  };
  return Object.keys(details).length === 0 ? undefined : details;
}
