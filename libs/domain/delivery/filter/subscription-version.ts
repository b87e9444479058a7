// The versions of records about subscriptions: a higher one where an older program would misread the record.
import { isOwnerId, isSourceId } from '../../id.ts';

/** Sources that listen: earlier, every listener was a webhook, and no trigger carried another source's event. */
export const listeningSources = 2;
/** An older program would begin the subscription now. */
const startPositions = 5;
/** An older program would deliver events that a subscription does not want. */
const filters = 5;
/** An older program would take the id of a workspace or a user for that of a source, and deliver nothing. */
export const owners = 6;
/** An older program would deliver events as they are, or take a trial for the end of a replay. */
export const transforms = 6;

/** An older program would go by the filter before the change for ever. */
export const numberedChanges = 9;
/** An older program would not answer, or not know why a change was refused. */
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
