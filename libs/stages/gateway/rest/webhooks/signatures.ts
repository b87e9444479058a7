// The kinds of signatures of attempts, as requests and records name them.

export const signatures = ['hmac-sha256', 'ed25519'] as const;
export type Signature = (typeof signatures)[number];

export const signatureOf = ({ publicKey }: { readonly publicKey?: string }): Signature =>
  publicKey === undefined ? 'hmac-sha256' : 'ed25519';
