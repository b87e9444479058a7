// How attempts can be signed, as requests and records name it.

export const signatures = ['hmac-sha256', 'ed25519'] as const;
export type Signature = (typeof signatures)[number];

export const signatureOf = ({ publicKey }: { readonly publicKey?: string }): Signature =>
  publicKey === undefined ? 'hmac-sha256' : 'ed25519';
