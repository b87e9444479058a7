// Ids of replays that are asked for with an Idempotency-Key: a repeat within 24 hours finds its replay by them, and
// later the key is new again.
import { requestKeptMs } from '../../../../../domain/definition/kept-requests.ts';
import { derivedId } from '../../../../../domain/id.ts';
import type { Millis } from '../../../../../domain/message.ts';

/**
 * That of a replay asked for now first, then those of replays that the same key may have led to in the last 24 hours:
 * an id says in which 24 hours, counted from 1970, its replay was asked for. Earlier programs left that out.
 */
export function replayIdsOf(workspace: string, key: string, now: Millis): readonly [string, ...string[]] {
  const period = Math.floor(now / requestKeptMs);
  const idIn = (...periods: number[]): string => derivedId('rpl', workspace, key, ...periods);
  return [idIn(period), idIn(period - 1), idIn()];
}
