// Saving a component: the answer comes once the component is described.
import { codeHashOf } from '../../../../domain/component/program/program.ts';
import type { SavedCommand } from '../../../../domain/saved/messages.ts';
import { componentIdOf } from '../../../../domain/saved/saved.ts';
import type { ComponentView } from '../../../../domain/views/index.ts';
import type { Command } from '../../commands/commands.ts';
import { refusalProblem } from '../../commands/refusals.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Gateway } from '../../gateway.ts';
import { newResource } from '../new-resource.ts';
import { findShown } from '../owned.ts';
import { checkProgram, shownError } from '../sources/deploy-source.ts';
import { askedProgram } from './asked-code.ts';
import type { Asked } from './asked-code.ts';

/** The new component, or the existing one if the same code was saved before. Throws ApiProblem. */
export async function saveComponent(
  gateway: Gateway,
  caller: Caller,
  asked: Asked,
  idempotencyKey: string | null,
): Promise<ComponentView> {
  const { repeatable } = newResource(gateway, caller, 'sc', { idempotencyKey, request: asked });
  const program = await askedProgram(gateway, caller, asked, repeatable);
  checkProgram(program);
  const componentId = componentIdOf(caller.workspace, codeHashOf(program));
  const data = { ...repeatable, componentId, userId: caller.userId, ...program };
  const command: Command<SavedCommand> = { type: 'SaveComponent', key: componentId, data };
  const endings = { endings: ['ComponentSaved', 'ComponentSaveRefused'], beginning: 'ComponentSaving' } as const;
  const outcome = await gateway.commands.send(caller, command, endings);
  const refused = outcome?.type === 'ComponentSaveRefused' ? outcome.data : undefined;
  if (refused !== undefined && refused.reason !== 'repeated') throw refusalProblem(refused, shownError(refused));
  return findShown<ComponentView>(gateway, caller, 'components', refused?.existingId ?? componentId);
}
