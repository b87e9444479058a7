// The records on `cursors` about deleted events: a restart needs them while a cursor has not passed such events.
import type { CursorEvent } from '../../../domain/delivery/messages.ts';
import { derivedId } from '../../../domain/id.ts';
import type { Millis } from '../../../domain/message.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';
import type { KeptDeletion } from './deleted-events.ts';

type DeletionKept = Extract<CursorEvent, { readonly type: 'DeletionKept' }>;

/** The prefix of their keys; the keys of cursors begin with a subscription's id. */
export const deletionsPrefix = 'deleted';

export function deletionKept(
  { workspace, ...data }: KeptDeletion,
  partition: number,
  at: Millis,
): MessageOn<'cursors'> {
  return recordOf({ workspace, ...data }, data, { partition, at });
}

/** Returns the tombstone for a fact that every cursor has passed. */
export const deletionPassed = (fact: KeptDeletion, partition: number, at: Millis): MessageOn<'cursors'> =>
  recordOf(fact, undefined, { partition, at });

function recordOf(
  { workspace, emitterId, offset }: KeptDeletion,
  data: DeletionKept['data'] | undefined,
  { partition, at }: { readonly partition: number; readonly at: Millis },
): MessageOn<'cursors'> {
  const key = `${deletionsPrefix}/${emitterId}/${offset}`;
  const id = derivedId('rec', 'deletion', partition, key, data === undefined ? 'passed' : 'kept');
  const type = 'DeletionKept' as const;
  const version = versionOf({ type, data });
  return { id, type, version, key, data, at, workspace, ...chainFrom(id, 'delivery') };
}

/** The deletions among these records, in the order of the facts. */
export function keptDeletions(records: Iterable<CursorEvent>): readonly KeptDeletion[] {
  const kept: KeptDeletion[] = [];
  for (const { type, workspace, data } of records) if (type === 'DeletionKept') kept.push({ ...data, workspace });
  return kept.toSorted((a, b) => a.offset - b.offset);
}
