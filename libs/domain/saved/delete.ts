// Decides the deletion of a saved component; sources deployed from it have their own copy of the code and stay.
import type { Decided } from '../message.ts';
import type { SavedCommand, SavedEvent } from './messages.ts';
import type { SavedComponents } from './saved.ts';

/** A component that is still being described is not shown, and cannot be deleted. */
export function decideDelete(
  { byId }: SavedComponents,
  { data: { componentId }, workspace }: Extract<SavedCommand, { type: 'DeleteComponent' }>,
): readonly Decided<SavedEvent>[] {
  const component = byId.get(componentId);
  if (component?.workspace !== workspace || component.status === 'saving') {
    const message = `There is no saved component ${componentId} in this workspace.`;
    return [{ type: 'ComponentDeleteRefused', data: { componentId, reason: 'component_not_found', message } }];
  }
  const { published } = component;
  const unpublishEvents: Decided<SavedEvent>[] =
    published === undefined ? [] : [{ type: 'ComponentUnpublished', data: { componentId, key: published.key } }];
  return [...unpublishEvents, { type: 'ComponentDeleted', data: { componentId } }];
}
