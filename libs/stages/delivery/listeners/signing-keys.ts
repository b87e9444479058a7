// A webhook's signing keys, unsealed once the data key of its workspace is known, and kept with the webhook.
import { signingKeyOf } from '../../../domain/delivery/signature.ts';
import type { SigningKey } from '../../../domain/delivery/signature.ts';
import type { Keyring } from '../../../domain/secrets/keyring.ts';
import { unseal } from '../../../domain/secrets/seal.ts';
import type { WebhookTarget } from './target.ts';

/** Undefined while the data key has not been read. Throws on a sealed value that does not open or holds no key. */
export function signingKeys(webhook: WebhookTarget, keyring: Keyring): readonly SigningKey[] | undefined {
  if (webhook.keys !== undefined) return webhook.keys;
  const dataKey = keyring.dataKey(webhook.workspace);
  if (keyring.stateOf(webhook.workspace) === 'closed') throw new Error('the data key of the workspace does not open');
  if (dataKey === undefined) return undefined;
  const secret = unseal(dataKey, webhook.sealedKey, webhook.workspace);
  webhook.keys = [signingKeyOf(String(secret))];
  return webhook.keys;
}
