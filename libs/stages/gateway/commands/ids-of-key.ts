// Ids of what is asked for with an Idempotency-Key and has its id from the key: a repeat within 24 hours finds it by
// them, and later the key is new again.
import { requestKeptMs } from '../../../domain/definition/kept-requests.ts';
import { derivedId } from '../../../domain/id.ts';
import type { IdPrefix } from '../../../domain/id.ts';
import type { Millis } from '../../../domain/message.ts';

export interface KeyUsed {
  readonly workspace: string;
  readonly key: string;
  readonly now: Millis;
}

/**
 * That of what is asked for now first, then those of what the same key may have led to in the last 24 hours: an id says
 * in which 24 hours, counted from 1970, it was asked for. Earlier programs left that out.
 */
export function idsOfKey(prefix: IdPrefix, { workspace, key, now }: KeyUsed): readonly [string, ...string[]] {
  const period = Math.floor(now / requestKeptMs);
  const idIn = (...periods: readonly number[]): string => derivedId(prefix, workspace, key, ...periods);
  return [idIn(period), idIn(period - 1), idIn()];
}
