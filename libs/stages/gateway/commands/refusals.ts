// How each reason that lifecycle refuses with is answered.
import type { SourceRefusal } from '../../../domain/component/messages.ts';
import type { ListenerRefusal } from '../../../domain/listener/messages.ts';
import type { Json } from '../../../domain/json.ts';
import { ApiProblem, notFound } from '../rim/api-problem.ts';

export type Refusal = ListenerRefusal | SourceRefusal;

/** What every `...Refused` event says. */
export interface RefusedData {
  readonly reason: Refusal;
  readonly message: string;
  readonly existingId?: string;
}

const conflicts: ReadonlySet<Refusal> = new Set(['idempotency_conflict', 'webhook_disabled', 'busy']);

const missing: Readonly<Partial<Record<Refusal, Json>>> = {
  webhook_not_found: { record: 'webhook' },
  emitter_not_found: { record: 'emitter' },
  subscription_not_found: { record: 'subscription' },
  source_not_found: { record: 'source' },
};

export const isRefusal = (type: string): boolean => type.endsWith('Refused');

/** `repeated` is not answered here: it is a success. */
export function refusalProblem({ reason, message }: RefusedData, details?: Json): ApiProblem {
  const record = missing[reason];
  if (record !== undefined) return notFound(record);
  const status = conflicts.has(reason) ? 409 : 400;
  return new ApiProblem(status, reason, message, details === undefined ? {} : { details });
}
