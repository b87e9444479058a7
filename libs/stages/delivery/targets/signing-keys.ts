// Unseals a webhook's signing keys and headers once its workspace's data key is known, and caches them while valid.
import { signingKeyOf } from '../../../domain/delivery/signature.ts';
import type { SigningKey } from '../../../domain/delivery/signature.ts';
import type { Millis } from '../../../domain/message.ts';
import type { Keyring } from '../../../domain/workspace/keyring.ts';
import { unseal } from '../../../domain/secrets/seal.ts';
import type { WebhookTarget } from './target.ts';

/**
 * Keys, newest first; undefined before the data key was read. Throws if a sealed value cannot be unsealed or holds no
 * key.
 */
export function signingKeys(webhook: WebhookTarget, keyring: Keyring, at: Millis): readonly SigningKey[] | undefined {
  if (webhook.keys !== undefined && at < webhook.keysUntil) return webhook.keys;
  const { workspace, sealedKey, formerKeys } = webhook;
  const dataKey = keyring.dataKey(workspace);
  if (keyring.stateOf(workspace) === 'closed') throw new Error('the data key of the workspace does not open');
  if (dataKey === undefined) return undefined;
  const former = formerKeys.filter(({ validUntil }) => validUntil > at);
  const sealed = [sealedKey, ...former.map(({ key }) => key)];
  webhook.keys = sealed.map((one) => signingKeyOf(String(unseal(dataKey, one, workspace))));
  webhook.headers = Object.fromEntries(
    webhook.sealedHeaders.map(({ name, value }) => [name, String(unseal(dataKey, value, workspace))]),
  );
  webhook.keysUntil = Math.min(...former.map(({ validUntil }) => validUntil));
  return webhook.keys;
}
