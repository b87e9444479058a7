// Derives the ids of what a request with an Idempotency-Key creates: a repeat within 24 hours finds it by them, and
// later the key counts as new.
import { requestTtlMs } from '../../../domain/definition/recorded-requests.ts';
import { derivedId } from '../../../domain/id.ts';
import type { IdPrefix } from '../../../domain/id.ts';
import type { Millis } from '../../../domain/message.ts';

export interface IdempotencyKeyUse {
  readonly workspace: string;
  readonly key: string;
  readonly now: Millis;
}

/**
 * First the id of what is created now, then those of what the same key can have created in the last 24 hours: an id
 * depends on the number of the 24-hour period since 1970. The last one, of earlier programs, does not.
 */
export function idsOfKey(prefix: IdPrefix, { workspace, key, now }: IdempotencyKeyUse): readonly [string, ...string[]] {
  const period = Math.floor(now / requestTtlMs);
  const idIn = (...periods: readonly number[]): string => derivedId(prefix, workspace, key, ...periods);
  return [idIn(period), idIn(period - 1), idIn()];
}
