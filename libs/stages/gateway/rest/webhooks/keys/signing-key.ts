// Makes signing keys: encrypted on the log, and shown only in the answer to the request that made them.
import { keyPairFromSeed } from '../../../../../domain/delivery/ed25519.ts';
import { seedBytes } from '../../../../../domain/keys/ed25519-seed.ts';
import { secretFromBytes } from '../../../../../domain/delivery/signature.ts';
import type { NewSigningKey } from '../../../../../domain/listener/messages.ts';
import { keyOfRequest } from '../../../../../domain/listener/webhook/key-renewal.ts';
import { NewerRecordError } from '../../../../loop/reading/unusable.ts';
import { isTombstone } from '../../../../loop/restoring/definitions.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import type { Signature } from '../signatures.ts';

/** 192 bits, as Standard Webhooks recommends. */
const secretBytes = 24;

export interface GeneratedKey {
  readonly newKey: NewSigningKey;
  /** The secret that the answer shows; undefined for a private key, which only the service needs. */
  readonly secret: string | undefined;
}

export function makeKey(parts: Parts<'secrets' | 'ambient'>, caller: Caller, signature: Signature): GeneratedKey {
  const { randomBytes } = parts.ambient;
  if (signature === 'ed25519') {
    const { privateKey, publicKey } = keyPairFromSeed(randomBytes(seedBytes));
    return { newKey: { signingKey: parts.secrets.seal(caller.workspace, privateKey), publicKey }, secret: undefined };
  }
  const secret = secretFromBytes(randomBytes(secretBytes));
  return { newKey: { signingKey: parts.secrets.seal(caller.workspace, secret) }, secret };
}

export interface RecoveredKey {
  /** Undefined: the key is gone, or it is a private key, which is never shown. */
  readonly secret: string | undefined;
  /** The public key of the current signing key, whatever the views show; undefined: it is for HMAC. */
  readonly publicKey: string | undefined;
}

/**
 * The key that a request with this Idempotency-Key made, read from the log: a repeat can mean that the first
 * answer was lost, and the key with it. Undefined: this program cannot read the webhook's keys.
 */
export async function recoverKey(
  parts: Parts<'secrets' | 'definitions' | 'log'>,
  caller: Caller,
  request: { readonly webhookId: string; readonly requestKey: string | undefined },
): Promise<RecoveredKey | undefined> {
  const offset = await parts.definitions.webhookOffsetOf(request.webhookId);
  if (offset === undefined) return undefined;
  const bounds = { recordsMax: 1, bytesMax: 1 };
  const page = await parts.log.read('webhooks', 0, offset, bounds).catch((error: unknown) => {
    // A newer program has rewritten the definition: the webhook exists.
    if (error instanceof NewerRecordError) return undefined;
    throw error;
  });
  const record = page?.records[0];
  if (record?.type !== 'WebhookDefined' || isTombstone(record)) return undefined;
  if (record.data.webhookId !== request.webhookId || record.workspace !== caller.workspace) return undefined;
  const sealed = keyOfRequest(record.data, request.requestKey);
  const secret = sealed === undefined ? undefined : String(parts.secrets.unseal(caller.workspace, sealed));
  return { secret: secret?.startsWith('whsec_') === true ? secret : undefined, publicKey: record.data.publicKey };
}
