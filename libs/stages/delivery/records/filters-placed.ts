// Builds the record on `cursors` of the offsets at which a subscription's changes apply.
import type { CursorEvent } from '../../../domain/delivery/messages.ts';
import { derivedId } from '../../../domain/id.ts';
import type { Millis } from '../../../domain/message.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';

type FiltersPlaced = Extract<CursorEvent, { readonly type: 'FiltersPlaced' }>;

/** The key of a subscription's record; keys of its cursors have two parts. */
export const filterChangesKey = (subscriptionId: string): string => `${subscriptionId}/filter/places`;

export function filtersPlaced(
  data: FiltersPlaced['data'],
  { workspace, partition, at }: { readonly workspace: string; readonly partition: number; readonly at: Millis },
): FiltersPlaced {
  const type = 'FiltersPlaced';
  const key = filterChangesKey(data.subscriptionId);
  const id = derivedId('rec', key, partition, JSON.stringify(data.places));
  return { id, type, version: versionOf({ type, data }), key, data, at, workspace, ...chainFrom(id, 'delivery') };
}
