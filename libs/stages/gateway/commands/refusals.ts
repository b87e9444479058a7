// The API's answer to each reason for which lifecycle refuses a command.
import type { AccountRefusal } from '../../../domain/account/messages.ts';
import type { SourceRefusal } from '../../../domain/component/messages.ts';
import type { ListenerRefusal } from '../../../domain/listener/messages.ts';
import type { SavedRefusal } from '../../../domain/saved/messages.ts';
import type { ApiKeyRefusal } from '../../../domain/workspace/api-keys/messages.ts';
import type { Json } from '../../../domain/json.ts';
import { ApiProblem, notFound } from '../http/api-problem.ts';

export type Refusal = ListenerRefusal | SourceRefusal | SavedRefusal | ApiKeyRefusal | AccountRefusal;

/** What every `...Refused` event says. */
export interface RefusedData {
  readonly reason: Refusal;
  readonly message: string;
  readonly existingId?: string;
}

const conflicts: ReadonlySet<Refusal> = new Set([
  'idempotency_conflict',
  'webhook_disabled',
  'webhook_changed',
  'busy',
  'too_many_components',
  'version_not_higher',
  'too_many_keys',
  'last_key',
  'account_in_use',
  'too_many_accounts',
]);

const missing: ReadonlySet<Refusal> = new Set([
  'webhook_not_found',
  'emitter_not_found',
  'listener_not_found',
  'subscription_not_found',
  'source_not_found',
  'key_not_found',
  'not_published',
  'component_not_found',
  'account_not_found',
]);

export const isRefusal = (type: string): boolean => type.endsWith('Refused');

/** `repeated` is not answered here: it is a success. */
export function refusalProblem({ reason, message }: RefusedData, details?: Json): ApiProblem {
  if (missing.has(reason)) return notFound(details);
  const status = reason === 'unknown_key' ? 404 : conflicts.has(reason) ? 409 : 400;
  return new ApiProblem(status, reason, message, details === undefined ? {} : { details });
}
