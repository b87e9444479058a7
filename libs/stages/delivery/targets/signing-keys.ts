// A webhook's signing keys and headers, unsealed once the data key of its workspace is known, and kept while they are valid.
import { signingKeyOf } from '../../../domain/delivery/signature.ts';
import type { SigningKey } from '../../../domain/delivery/signature.ts';
import type { Millis } from '../../../domain/message.ts';
import type { Keyring } from '../../../domain/workspace/keyring.ts';
import { unseal } from '../../../domain/secrets/seal.ts';
import type { WebhookTarget } from './target.ts';

/**
 * Newest first; undefined while the data key has not been read. Throws on a sealed value that does not open or holds no
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
