// Updates and deletes sources: answers when the process has ended, or that it is still in progress.
import type { SourceCommand, SourceEvent } from '../../../../../domain/source/messages.ts';
import type { JsonObject } from '../../../../../domain/json.ts';
import type { SourceView } from '../../../../../domain/views/index.ts';
import { asJson } from '../../../../../domain/views/view.ts';
import type { Command } from '../../../commands/commands.ts';
import { refusalProblem } from '../../../commands/refusals.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { readCodeReference, loadProgram } from '../../code/code-reference.ts';
import { notFound } from '../../../http/api-problem.ts';
import { checkId, findOwned, findShown } from '../../owned-documents.ts';
import { checkConfiguredProps } from '../configured-props.ts';
import { checkProgram } from '../../code/check-program.ts';
import { detailsOf } from '../deploy-source.ts';
import { findScheduled } from '../runs/next-run.ts';
import { readSettings } from '../source-settings.ts';
import { secretPlaceholder } from '../../../../../domain/secrets/secret-placeholder.ts';
import type { DeleteSourceDto, UpdateSourceDto } from './update-source.dto.ts';

type CommandOf<Type extends SourceCommand['type']> = Extract<SourceCommand, { type: Type }>;
type RefusalOf<Type extends SourceEvent['type']> = Extract<SourceEvent, { type: Type }>['data'];

export interface UpdateResult {
  /** The source as it is now: another process might have begun since. */
  readonly source: SourceView;
  /** The update takes longer than a request should. */
  readonly isInProgress: boolean;
}

/** Throws ApiProblem. */
export async function updateSource(
  parts: Parts<'secrets' | 'views' | 'commands' | 'ambient' | 'limits' | 'log'>,
  caller: Caller,
  sourceId: string,
  input: UpdateSourceDto,
): Promise<UpdateResult> {
  checkId('dc', sourceId);
  const reference = readCodeReference(input);
  const props = input.configured_props ?? undefined;
  checkConfiguredProps(props ?? {});
  // The owner is checked first, because the code might have to be fetched, and is then stored.
  if (reference !== undefined && (await findOwned(parts, caller, 'sources', sourceId)) === undefined) throw notFound();
  const program =
    reference === undefined ? undefined : await loadProgram(parts, caller, reference, { fingerprint: null });
  if (program !== undefined) checkProgram(program);
  const data = {
    sourceId,
    ...changesOf(input),
    ...hookErrorOption(input),
    ...program,
    ...(props === undefined
      ? {}
      : { configuredProps: parts.secrets.seal(caller.workspace, withoutPlaceholders(props)) }),
  };
  const command: Command<CommandOf<'UpdateSource'>> = { type: 'UpdateSource', key: sourceId, data };
  const endings = { endings: ['SourceUpdated', 'SourceUpdateRefused'], beginning: 'SourceUpdating' } as const;
  const outcome = await parts.commands.send(caller, command, endings);
  if (outcome?.type === 'SourceUpdateRefused') throw await refusalProblemOf(parts, caller, outcome.data);
  const source = await findScheduled(parts, caller, sourceId);
  if (outcome === undefined) return { source, isInProgress: source.state === 'updating' };
  return { source: { ...source, console: asJson(outcome.data.console) }, isInProgress: false };
}

/** Add further fields that can be changed here. */
function changesOf({
  name,
  active,
  ...settingFields
}: UpdateSourceDto): Omit<CommandOf<'UpdateSource'>['data'], 'sourceId'> {
  const settings = readSettings(settingFields);
  return {
    ...(settings === undefined ? {} : { settings }),
    ...(name === undefined || name === null ? {} : { name }),
    ...(active === undefined || active === null ? {} : { active }),
  };
}

/** A client can send back the text that was shown in place of a secret: the secret then stays unchanged. */
export const withoutPlaceholders = (props: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(props).filter(([, value]) => value !== secretPlaceholder));

/** Undefined: the source is gone; otherwise the source, which is still being deleted. Throws ApiProblem. */
export async function deleteSource(
  parts: Parts<'views' | 'commands'>,
  caller: Caller,
  sourceId: string,
  input: DeleteSourceDto,
): Promise<SourceView | undefined> {
  checkId('dc', sourceId);
  const data = { sourceId, ...hookErrorOption(input) };
  const command: Command<CommandOf<'DeleteSource'>> = { type: 'DeleteSource', key: sourceId, data };
  const endings = { endings: ['SourceDeleted', 'SourceDeleteRefused'], beginning: 'SourceDeleting' } as const;
  const outcome = await parts.commands.send(caller, command, endings);
  if (outcome?.type === 'SourceDeleteRefused') throw await refusalProblemOf(parts, caller, outcome.data);
  return outcome === undefined ? findShown<SourceView>(parts, caller, 'sources', sourceId) : undefined;
}

const hookErrorOption = ({
  ignore_hook_errors: ignoresErrors,
}: DeleteSourceDto): { readonly ignoreHookErrors?: true } => (ignoresErrors === true ? { ignoreHookErrors: true } : {});

/** If no process began, the problem has no details, unless the source exists and its deploy was refused. */
async function refusalProblemOf(
  parts: Parts<'views'>,
  caller: Caller,
  refusal: RefusalOf<'SourceUpdateRefused' | 'SourceDeleteRefused'>,
): Promise<Error> {
  const { reason, sourceId, revision = 0 } = refusal;
  if (reason !== 'source_not_found')
    return refusalProblem(refusal, revision === 0 ? undefined : detailsOf({ ...refusal, revision }));
  const source = await findOwned<SourceView>(parts, caller, 'sources', sourceId);
  return notFound(source?.state === 'refused' ? { state: source.state } : undefined);
}
