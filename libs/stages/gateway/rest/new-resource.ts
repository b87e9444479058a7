// Makes the id of a resource for a POST, and what identifies a repeat with the same Idempotency-Key.
import type { Repeatable } from '../../../domain/definition/messages.ts';
import { derivedId, idBytes, idFromBytes } from '../../../domain/id.ts';
import type { IdPrefix } from '../../../domain/id.ts';
import { fingerprintOf } from '../commands/fingerprint.ts';
import type { Caller } from '../control/api-keys.ts';
import type { Parts } from '../parts/parts.ts';

export interface NewResource {
  /** The resource's id, unless the request is a repeat. */
  readonly id: string;
  readonly repeatable: Repeatable;
}

/** `request`: all parameters of the client. */
export function newResource(
  parts: Parts<'secrets' | 'ambient'>,
  caller: Caller,
  prefix: IdPrefix,
  { idempotencyKey, request }: { readonly idempotencyKey: string | null; readonly request: unknown },
): NewResource {
  const id = idFromBytes(prefix, parts.ambient.randomBytes(idBytes));
  if (idempotencyKey === null) return { id, repeatable: { fingerprint: null } };
  const fingerprint = fingerprintOf(parts.secrets.dataKey(caller.workspace), prefix, request);
  // Earlier programs used this key as the resource's id: a repeat finds such a resource, too.
  return { id, repeatable: { fingerprint, requestKey: derivedId(prefix, caller.workspace, idempotencyKey) } };
}
