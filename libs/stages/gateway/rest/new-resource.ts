// The identity of what a POST makes: random, or derived from the Idempotency-Key so that a repeat makes nothing new.
import { derivedId, idBytes, idFromBytes } from '../../../domain/id.ts';
import type { IdPrefix } from '../../../domain/id.ts';
import { fingerprintOf } from '../commands/fingerprint.ts';
import type { Caller } from '../control/api-keys.ts';
import type { Gateway } from '../gateway.ts';

export interface NewResource {
  readonly id: string;
  /** Null when no Idempotency-Key was given. */
  readonly fingerprint: string | null;
}

/** `request` is all that the client asked for. */
export function newResource(
  gateway: Gateway,
  caller: Caller,
  prefix: IdPrefix,
  { idempotencyKey, request }: { readonly idempotencyKey: string | null; readonly request: unknown },
): NewResource {
  if (idempotencyKey === null) {
    return { id: idFromBytes(prefix, gateway.options.ambient.randomBytes(idBytes)), fingerprint: null };
  }
  return {
    id: derivedId(prefix, caller.workspace, idempotencyKey),
    fingerprint: fingerprintOf(gateway.dataKey(caller.workspace), prefix, request),
  };
}
