// Chooses the version of records about subscriptions: a higher one if an older version of the program would misread it.
import { isOwnerId, isSourceId } from '../../id.ts';

/** Sources as listeners: before, every listener was a webhook, and no trigger carried another source's event. */
export const listeningSources = 2;
/** An older program would ignore the start position and begin now. */
const startPositions = 5;
/** An older program would deliver events that the filter rejects. */
const filters = 5;
/** An older program would take the id of a workspace or a user for that of a source, and deliver nothing. */
export const owners = 6;
/** An older program would deliver events untransformed, or read a trial as the cancellation of a replay. */
export const transforms = 6;

/** An older program would keep using the filter before the change. */
export const numberedChanges = 9;
/** An older program would not answer, or would not know the reason of a refusal. */
export const neededFilters = 10;

export interface OfEmitter {
  readonly emitterId: string;
}

export const namesOwner = ({ emitterId }: OfEmitter): boolean => isOwnerId(emitterId);

interface Filtering {
  readonly filter?: unknown;
  readonly transform?: unknown;
  readonly filters?: readonly object[];
}

const isNumbered = (since: object): boolean => 'version' in since;

/** Whether a transform is set, removed, or among those that a subscription has had. */
const isTransforming = ({ transform, filters: all = [] }: Filtering): boolean =>
  transform !== undefined || all.some((since) => 'transform' in since);

export function ofFilters(data: Filtering): number {
  if (data.filters?.some(isNumbered) === true) return numberedChanges;
  return isTransforming(data) ? transforms : filters;
}

interface Subscribing extends OfEmitter, Filtering {
  readonly listenerId: string;
}

export function ofSubscription(data: Subscribing): number {
  if (namesOwner(data)) return owners;
  if (isTransforming(data)) return transforms;
  if ('filter' in data) return filters;
  return isSourceId(data.listenerId) ? listeningSources : 1;
}

export function ofAskedSubscription(data: Subscribing & { readonly start?: unknown }): number {
  if (namesOwner(data)) return owners;
  if (isTransforming(data)) return transforms;
  if ('filter' in data) return filters;
  return 'start' in data ? startPositions : 1;
}
