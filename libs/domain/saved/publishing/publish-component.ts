// Decides to publish a component in its workspace: its key then means this version, until a higher one is published.
import type { Decided } from '../../message.ts';
import type { Publication, SavedCommand, SavedEvent } from '../messages.ts';
import { publishedKeyOf } from '../saved.ts';
import type { SavedComponents } from '../saved.ts';
import { isHigher, isSemver } from './semver.ts';

/** The key and version that a component declares. */
export interface Declared {
  readonly key?: string;
  readonly version?: string;
}

export interface PublishRefusal {
  readonly reason: 'component_invalid' | 'version_not_higher' | 'repeated';
  readonly message: string;
  readonly existingId?: string;
}

type PublishDecision = readonly Decided<SavedEvent>[] | PublishRefusal;

/** The events that publish the component, or why it cannot be. Each key has one published version at a time. */
export function decidePublish(
  { byId, published }: SavedComponents,
  { componentId, workspace }: { readonly componentId: string; readonly workspace: string },
  declared: Declared,
): PublishDecision {
  const publication = publicationOf(declared);
  if ('reason' in publication) return publication;
  const { key, version } = publication;
  const formerId = published.get(publishedKeyOf(workspace, key));
  const former = formerId === undefined ? undefined : byId.get(formerId)?.published;
  if (formerId === componentId)
    return { reason: 'repeated', message: 'This version is published already.', existingId: componentId };
  if (former !== undefined && !isHigher(version, former.version)) {
    const message = `Version ${version} of ${key} is not higher than ${former.version}, which is published: raise the component's version and publish it again.`;
    return { reason: 'version_not_higher', message };
  }
  const unpublishEvents: Decided<SavedEvent>[] =
    formerId === undefined ? [] : [{ type: 'ComponentUnpublished', data: { componentId: formerId, key } }];
  return [...unpublishEvents, { type: 'ComponentPublished', data: { componentId, key, version } }];
}

function publicationOf({ key = '', version = '' }: Declared): Publication | PublishRefusal {
  if (key === '') return invalid("A component that is published needs a key: add key: 'app-what-it-does'.");
  if (isSemver(version)) return { key, version };
  return invalid(`A component that is published needs a semantic version such as 0.1.0, but "${version}" is not one.`);
}

const invalid = (message: string): PublishRefusal => ({ reason: 'component_invalid', message });

export function decideUnpublish(
  { byId }: SavedComponents,
  { data: { componentId }, workspace }: Extract<SavedCommand, { type: 'UnpublishComponent' }>,
): readonly Decided<SavedEvent>[] {
  const component = byId.get(componentId);
  if (component?.published !== undefined && component.workspace === workspace)
    return [{ type: 'ComponentUnpublished', data: { componentId, key: component.published.key } }];
  const message = `No component ${componentId} is published in this workspace.`;
  return [{ type: 'ComponentUnpublishRefused', data: { componentId, reason: 'not_published', message } }];
}
