// Saves, publishes and deletes components: a save is answered once the component is described.
import { codeHashOf } from '../../../../domain/component/program/program.ts';
import type { Manifest } from '../../../../domain/component/manifest.ts';
import { isId } from '../../../../domain/id.ts';
import type { SavedCommand } from '../../../../domain/saved/messages.ts';
import type { Declared } from '../../../../domain/saved/publishing/publish-component.ts';
import { componentIdOf } from '../../../../domain/saved/saved.ts';
import type { ComponentView } from '../../../../domain/views/index.ts';
import type { Command } from '../../commands/commands.ts';
import { refusalProblem } from '../../commands/refusals.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { newResource } from '../new-resource.ts';
import { notFound } from '../../http/api-problem.ts';
import { problemsOf } from '../../http/input/field-problem.ts';
import { findOwned, findShown } from '../owned-documents.ts';
import { loadProgram } from '../code/code-reference.ts';
import type { CodeReference } from '../code/code-reference.ts';
import { checkProgram } from '../code/check-program.ts';
import { presentErrorDetails } from '../code/error-details.presenter.ts';
import { findComponent, findPublished } from '../code/find-component.ts';

export interface SaveInput {
  readonly asked: CodeReference;
  readonly publishes: boolean;
}

/** The new component, or the existing one if the same code was saved before. Throws ApiProblem. */
export async function saveComponent(
  parts: Parts<'secrets' | 'views' | 'commands' | 'ambient' | 'log'>,
  caller: Caller,
  { asked: reference, publishes }: SaveInput,
  idempotencyKey: string | null,
): Promise<ComponentView> {
  const request = publishes ? { ...reference, publishes } : reference;
  const { repeatable } = newResource(parts, caller, 'sc', { idempotencyKey, request });
  const program = await loadProgram(parts, caller, reference, repeatable);
  checkProgram(program);
  const componentId = componentIdOf(caller.workspace, codeHashOf(program));
  const publish = publishes ? { publish: await readDeclaration(parts, caller, componentId) } : {};
  const data = { ...repeatable, componentId, userId: caller.userId, ...program, ...publish };
  const command: Command<SavedCommand> = { type: 'SaveComponent', key: componentId, data };
  const success = publishes ? 'ComponentPublished' : 'ComponentSaved';
  const endings = { endings: [success, 'ComponentSaveRefused'], beginning: 'ComponentSaving' } as const;
  const outcome = await parts.commands.send(caller, command, endings);
  const refused = outcome?.type === 'ComponentSaveRefused' ? outcome.data : undefined;
  if (refused !== undefined && refused.reason !== 'repeated')
    throw refusalProblem(refused, presentErrorDetails(refused));
  return findShown<ComponentView>(parts, caller, 'components', refused?.existingId ?? componentId);
}

/** What an already saved component declares; empty: it must be described first. */
async function readDeclaration(parts: Parts<'views'>, caller: Caller, componentId: string): Promise<Declared> {
  const saved = await findOwned<ComponentView>(parts, caller, 'components', componentId);
  if (saved === undefined) return {};
  const { key, version } = saved.manifest as unknown as Manifest;
  return { version, ...(key === undefined ? {} : { key }) };
}

/** Throws ApiProblem 404 if nothing is published under the id or key. */
export async function unpublishComponent(
  parts: Parts<'views' | 'commands'>,
  caller: Caller,
  idOrKey: string,
): Promise<void> {
  const component = isId('sc', idOrKey)
    ? await findComponent(parts, caller, idOrKey)
    : await findPublished(parts, caller, idOrKey);
  if (component === undefined) throw notFound();
  const { componentId } = component;
  const command: Command<SavedCommand> = { type: 'UnpublishComponent', key: componentId, data: { componentId } };
  const endings = ['ComponentUnpublished', 'ComponentUnpublishRefused'] as const;
  const outcome = await parts.commands.send(caller, command, { endings });
  if (outcome?.type === 'ComponentUnpublishRefused') throw refusalProblem(outcome.data);
}

/** Only by its id, since a key has many versions. Throws ApiProblem 404 if nothing is saved under it. */
export async function deleteComponent(
  parts: Parts<'views' | 'commands'>,
  caller: Caller,
  componentId: string,
): Promise<void> {
  if (!isId('sc', componentId))
    throw problemsOf([{ field: 'purge', message: 'Name the component to delete by its id' }]);
  const command: Command<SavedCommand> = { type: 'DeleteComponent', key: componentId, data: { componentId } };
  const endings = ['ComponentDeleted', 'ComponentDeleteRefused'] as const;
  const outcome = await parts.commands.send(caller, command, { endings });
  if (outcome?.type === 'ComponentDeleteRefused') throw refusalProblem(outcome.data);
}
