// The signing keys of a webhook: a new one signs from now on, the former ones beside it for a while.
import type { MadeBy } from '../../definition/messages.ts';
import type { FormerKey } from '../definition/messages.ts';
import { requestKeptMs } from '../../definition/kept-requests.ts';
import type { Millis } from '../../message.ts';
import type { Sealed } from '../../secrets/sealed.ts';
import type { NewSigningKey } from '../messages.ts';
import { signingKeysMax } from './settings.ts';

/** Whether attempts are signed by Ed25519. */
export const isPair = ({ publicKey }: { readonly publicKey?: string }): boolean => publicKey !== undefined;

/** The newest key, and those before it. */
export interface Keyed extends NewSigningKey {
  readonly keyMadeBy?: MadeBy | null;
  readonly formerKeys?: readonly FormerKey[];
}

export interface Renewal {
  readonly newKey: NewSigningKey;
  /** The request that made it. */
  readonly madeBy: MadeBy | null;
  /** The request that made the webhook. */
  readonly webhookMadeBy: MadeBy | null;
  readonly at: Millis;
  readonly overlapMs: Millis;
}

/** No former key is valid for longer than the overlap; when there are too many, the oldest leave first. */
export function renewed<K extends Keyed>(webhook: K, { newKey, madeBy, webhookMadeBy, at, overlapMs }: Renewal): K {
  const { publicKey: _former, signingKey: key, keyMadeBy = webhookMadeBy, formerKeys = [], ...rest } = webhook;
  const until = at + overlapMs;
  const former = [{ key, validUntil: until, madeBy: keyMadeBy }, ...formerKeys]
    .map((one) => ({ ...one, validUntil: Math.min(one.validUntil, until) }))
    .filter((one) => one.validUntil > at || isRepeatable(one.madeBy, at))
    .slice(0, signingKeysMax - 1);
  return { ...rest, ...newKey, keyMadeBy: madeBy, formerKeys: former } as unknown as K;
}

/** Its request may be sent again, and is then told the key that it made. */
const isRepeatable = (madeBy: MadeBy | null, at: Millis): boolean =>
  madeBy !== null && at - madeBy.answeredAt < requestKeptMs;

/** The key that a request with this Idempotency-Key made; undefined: it is gone since. */
export function keyMadeBy(
  webhook: Keyed & { readonly madeBy: MadeBy | null },
  requestKey: string | undefined,
): Sealed | undefined {
  const { keyMadeBy: newest = webhook.madeBy, formerKeys = [] } = webhook;
  if (newest?.key === requestKey) return webhook.signingKey;
  return formerKeys.find(({ madeBy }) => madeBy?.key === requestKey)?.key;
}

/** The requests that made keys, apart from that which made the webhook. */
export const keyRequests = ({ keyMadeBy: newest, formerKeys = [] }: Keyed): readonly MadeBy[] =>
  [newest, ...formerKeys.map(({ madeBy }) => madeBy)].filter((made) => made !== undefined && made !== null);
