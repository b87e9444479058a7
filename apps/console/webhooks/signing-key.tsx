// Shows the key with which a receiver checks signatures: a shared key, shown once, or the public key.
import type { ReactNode } from 'react';
import type { WebhookWithKey } from '../api/records.ts';
import { CopyLine } from '../parts/copy.tsx';

export function SigningKey({ webhook }: { readonly webhook: WebhookWithKey }): ReactNode {
  if (webhook.signing_key !== undefined)
    return (
      <div className="card-body bare" role="status">
        <h2>Signing key</h2>
        <CopyLine text={webhook.signing_key} what="the signing key" />
        <p className="dim small">
          Copy it now: it is not shown again. The receiver checks each request with it, by any library for Standard
          Webhooks.
        </p>
      </div>
    );
  if (webhook.public_key === null) return null;
  return (
    <div className="card-body bare">
      <h2>Public key</h2>
      <CopyLine text={webhook.public_key} what="the public key" />
      <p className="dim small">The receiver checks each request with it. It is no secret.</p>
    </div>
  );
}
