// Renews the signing key of a webhook: the new key signs from now on, and former keys also sign for a while.
import type { MadeBy } from '../../definition/messages.ts';
import type { FormerKey } from '../definition/messages.ts';
import { requestTtlMs } from '../../definition/recorded-requests.ts';
import type { Millis } from '../../message.ts';
import type { Sealed } from '../../secrets/sealed.ts';
import type { NewSigningKey } from '../messages.ts';
import { signingKeysMax } from './settings.ts';

/** Whether attempts are signed by Ed25519. */
export const isKeyPair = ({ publicKey }: { readonly publicKey?: string }): boolean => publicKey !== undefined;

/** The newest key and the former ones. */
export interface SigningKeys extends NewSigningKey {
  readonly keyMadeBy?: MadeBy | null;
  readonly formerKeys?: readonly FormerKey[];
}

export interface KeyRenewal {
  readonly newKey: NewSigningKey;
  /** The request that made the new key. */
  readonly madeBy: MadeBy | null;
  /** The request that made the webhook. */
  readonly webhookMadeBy: MadeBy | null;
  readonly at: Millis;
  readonly overlapMs: Millis;
}

/** The webhook with the new key. No former key stays valid beyond the overlap; if there are too many, the oldest go. */
export function withNewSigningKey<K extends SigningKeys>(
  webhook: K,
  { newKey, madeBy, webhookMadeBy, at, overlapMs }: KeyRenewal,
): K {
  const { publicKey: _publicKey, signingKey: key, keyMadeBy = webhookMadeBy, formerKeys = [], ...rest } = webhook;
  const until = at + overlapMs;
  const former = [{ key, validUntil: until, madeBy: keyMadeBy }, ...formerKeys]
    .map((one) => ({ ...one, validUntil: Math.min(one.validUntil, until) }))
    .filter((one) => one.validUntil > at || isRepeatable(one.madeBy, at))
    .slice(0, signingKeysMax - 1);
  return { ...rest, ...newKey, keyMadeBy: madeBy, formerKeys: former } as unknown as K;
}

/** Whether the request that made the key can still be repeated: the answer then needs the key. */
const isRepeatable = (madeBy: MadeBy | null, at: Millis): boolean =>
  madeBy !== null && at - madeBy.answeredAt < requestTtlMs;

/** The key that the request with this Idempotency-Key made; undefined: it is gone. */
export function keyOfRequest(
  webhook: SigningKeys & { readonly madeBy: MadeBy | null },
  requestKey: string | undefined,
): Sealed | undefined {
  const { keyMadeBy: newest = webhook.madeBy, formerKeys = [] } = webhook;
  if (newest?.key === requestKey) return webhook.signingKey;
  return formerKeys.find(({ madeBy }) => madeBy?.key === requestKey)?.key;
}

/** The requests that made keys, without the one that made the webhook. */
export const keyRequests = ({ keyMadeBy: newest, formerKeys = [] }: SigningKeys): readonly MadeBy[] =>
  [newest, ...formerKeys.map(({ madeBy }) => madeBy)].filter((made) => made !== undefined && made !== null);
