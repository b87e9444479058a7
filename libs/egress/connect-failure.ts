// Describes why a connection failed without an address: a name might resolve to one that only the operator should know.

/** `code`: Node's where Node has one; `text`: the part of a sentence after the host. */
export interface ConnectFailure {
  readonly code: string;
  readonly text: string;
}

/** Codes for a connection that was not open in time, because of the name's look-up or the TLS handshake. */
export const lookupTimeout = 'LOOKUP_TIMEOUT';
export const handshakeTimeout = 'HANDSHAKE_TIMEOUT';

/** The code for the response 101. */
const upgradeCode = 'ERR_UPGRADE';

/** Whether the response was 101: undici has no code for this. */
export const isUpgraded = (error: unknown): boolean => error instanceof Error && error.message === 'bad upgrade';

const failuresByCode: Readonly<Record<string, ConnectFailure>> = {
  UND_ERR_CONNECT_TIMEOUT: { code: 'ETIMEDOUT', text: 'does not take connections in time' },
  [lookupTimeout]: { code: 'ETIMEDOUT', text: 'could not be resolved in time' },
  [handshakeTimeout]: { code: 'ETIMEDOUT', text: 'does not complete the TLS handshake in time' },
  [upgradeCode]: { code: upgradeCode, text: 'switches protocols (101), for which it was not asked' },
  ETIMEDOUT: { code: 'ETIMEDOUT', text: 'does not take connections in time' },
  ECONNREFUSED: { code: 'ECONNREFUSED', text: 'refuses connections' },
  EHOSTUNREACH: { code: 'EHOSTUNREACH', text: 'cannot be reached: host unreachable' },
  ENETUNREACH: { code: 'ENETUNREACH', text: 'cannot be reached: network unreachable' },
  ENOTFOUND: { code: 'ENOTFOUND', text: 'is a name that does not resolve' },
  UND_ERR_SOCKET: { code: 'ECONNRESET', text: 'closed the connection' },
  ECONNRESET: { code: 'ECONNRESET', text: 'reset the connection' },
  EPIPE: { code: 'EPIPE', text: 'closed the connection' },
};

/** Undefined when the error is neither the network's nor TLS's. */
export function connectFailureOf(error: unknown): ConnectFailure | undefined {
  // When several addresses of a name were tried: the error of the first.
  const first = (error instanceof AggregateError ? error.errors[0] : error) as ErrorFields | undefined;
  const code = isUpgraded(error) ? upgradeCode : String(first?.code ?? '');
  const found = failuresByCode[code];
  if (found !== undefined) return found;
  if (code.startsWith('EAI_')) return { code, text: 'could not be resolved; try again' };
  if (isHandshakeCode(code)) return { code, text: `fails at TLS (${[code, ...reasonOf(first)].join(', ')})` };
  if (isCertificateCode(code)) return { code, text: `has no certificate that can be trusted (${code})` };
  return typeof first?.syscall === 'string' ? { code, text: 'could not be asked' } : undefined;
}

interface ErrorFields {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly reason?: unknown;
}

/** OpenSSL's reason, such as "wrong version number"; it names no host or address. */
const reasonOf = (error: ErrorFields | undefined): readonly string[] =>
  typeof error?.reason === 'string' ? [error.reason] : [];

const isHandshakeCode = (code: string): boolean => /^(ERR_SSL_|EPROTO$)/.test(code);

const isCertificateCode = (code: string): boolean =>
  /^(CERT_|UNABLE_TO_|ERR_TLS_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH)/.test(code);
