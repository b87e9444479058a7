// Chooses the version of records about subscriptions: a higher one if an older version of the program would misread it.
import { isOwnerId, isSourceId } from '../../id.ts';

/** Sources as listeners: before, every listener was a webhook, and no trigger carried another source's event. */
export const listeningSourcesVersion = 2;
/** An older program would ignore the start position and begin now. */
const startPositionsVersion = 5;
/** An older program would deliver events that the filter rejects. */
const filtersVersion = 5;
/** An older program would take the id of a workspace or a user for that of a source, and deliver nothing. */
export const ownersVersion = 6;
/** An older program would deliver events untransformed, or read a trial as the cancellation of a replay. */
export const transformsVersion = 6;

/** An older program would keep using the filter before the change. */
export const numberedChangesVersion = 9;
/** An older program would not answer, or would not know the reason of a refusal. */
export const neededFiltersVersion = 10;

export interface HasEmitter {
  readonly emitterId: string;
}

export const namesOwner = ({ emitterId }: HasEmitter): boolean => isOwnerId(emitterId);

interface FilterFields {
  readonly filter?: unknown;
  readonly transform?: unknown;
  readonly filters?: readonly object[];
}

const isNumbered = (since: object): boolean => 'version' in since;

/** Whether a transform is set, removed, or among those that a subscription has had. */
const isTransforming = ({ transform, filters: all = [] }: FilterFields): boolean =>
  transform !== undefined || all.some((since) => 'transform' in since);

export function versionOfFilters(data: FilterFields): number {
  if (data.filters?.some(isNumbered) === true) return numberedChangesVersion;
  return isTransforming(data) ? transformsVersion : filtersVersion;
}

interface SubscriptionFields extends HasEmitter, FilterFields {
  readonly listenerId: string;
}

export function versionOfSubscription(data: SubscriptionFields): number {
  if (namesOwner(data)) return ownersVersion;
  if (isTransforming(data)) return transformsVersion;
  if ('filter' in data) return filtersVersion;
  return isSourceId(data.listenerId) ? listeningSourcesVersion : 1;
}

export function versionOfNewSubscription(data: SubscriptionFields & { readonly start?: unknown }): number {
  if (namesOwner(data)) return ownersVersion;
  if (isTransforming(data)) return transformsVersion;
  if ('filter' in data) return filtersVersion;
  return 'start' in data ? startPositionsVersion : 1;
}
