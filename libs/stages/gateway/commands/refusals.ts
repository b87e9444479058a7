// Maps each reason for which lifecycle refuses a command to the API's answer.
import type { AccountRefusal } from '../../../domain/account/messages.ts';
import type { SourceRefusal } from '../../../domain/definition/deploy-refusal.ts';
import type { ListenerRefusal } from '../../../domain/listener/messages.ts';
import type { SavedRefusal } from '../../../domain/saved/messages.ts';
import type { ApiKeyRefusal } from '../../../domain/workspace/api-keys/messages.ts';
import type { Json } from '../../../domain/json.ts';
import { ApiProblem, notFound } from '../http/api-problem.ts';

export type Refusal = ListenerRefusal | SourceRefusal | SavedRefusal | ApiKeyRefusal | AccountRefusal;

/** The data of every `...Refused` event. */
export interface RefusedData {
  readonly reason: Refusal;
  readonly message: string;
  readonly existingId?: string;
}

/** A new reason does not compile until its status is listed here. */
const statuses: { readonly [Reason in Refusal]: 400 | 404 | 409 } = {
  account_in_use: 409,
  account_not_found: 404,
  busy: 409,
  component_invalid: 400,
  component_not_found: 404,
  emitter_not_found: 404,
  fetch_failed: 400,
  filters_needed: 409,
  hook_failed: 400,
  idempotency_conflict: 409,
  key_not_found: 404,
  last_key: 409,
  listener_not_found: 404,
  malformed: 400,
  not_published: 404,
  props_invalid: 400,
  // Most routes answer it as a success, without this table.
  repeated: 400,
  source_not_found: 404,
  subscription_not_found: 404,
  too_many_accounts: 409,
  too_many_components: 409,
  too_many_keys: 409,
  unknown_key: 404,
  version_not_higher: 409,
  webhook_changed: 409,
  webhook_disabled: 409,
  webhook_not_found: 404,
};

/** All missing things share the code of `notFound`, except a key that no component has. */
const isNotFound = (reason: Refusal, status: number): boolean => status === 404 && reason !== 'unknown_key';

export const isRefusal = (type: string): boolean => type.endsWith('Refused');

export function refusalProblem({ reason, message }: RefusedData, details?: Json): ApiProblem {
  const status = statuses[reason];
  if (isNotFound(reason, status)) return notFound(details);
  return new ApiProblem(status, reason, message, details === undefined ? {} : { details });
}
