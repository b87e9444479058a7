// The id of a resource that a POST makes, and how a repeat with the same Idempotency-Key is recognised.
import type { Repeatable } from '../../../domain/definition/messages.ts';
import { derivedId, idBytes, idFromBytes } from '../../../domain/id.ts';
import type { IdPrefix } from '../../../domain/id.ts';
import { fingerprintOf } from '../commands/fingerprint.ts';
import type { Caller } from '../control/api-keys.ts';
import type { Parts } from '../parts/parts.ts';

export interface NewResource {
  /** The resource's id, if the request is no repeat. */
  readonly id: string;
  readonly repeatable: Repeatable;
}

/** `request`: everything that the client asked for. */
export function newResource(
  parts: Parts<'secrets' | 'ambient'>,
  caller: Caller,
  prefix: IdPrefix,
  { idempotencyKey, request }: { readonly idempotencyKey: string | null; readonly request: unknown },
): NewResource {
  const id = idFromBytes(prefix, parts.ambient.randomBytes(idBytes));
  if (idempotencyKey === null) return { id, repeatable: { fingerprint: null } };
  const fingerprint = fingerprintOf(parts.secrets.dataKey(caller.workspace), prefix, request);
  // Earlier programs used this key as the resource's id: a repeat finds such a resource too.
  return { id, repeatable: { fingerprint, requestKey: derivedId(prefix, caller.workspace, idempotencyKey) } };
}
