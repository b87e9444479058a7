// Why a request has no answer, in words that name the host and nothing else of its URL, and in Node's own codes.
import { AddressRefusedError } from '../addresses/address-refused.ts';

/** What went wrong; `code` is Node's where Node has one. */
export class RequestFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'RequestFailure';
    this.code = code;
  }
}

interface Known {
  readonly code: string;
  readonly text: string;
}

const known: Readonly<Record<string, Known>> = {
  PROXY_REFUSED: { code: 'ERR_PROXY', text: 'is not reached through the proxy, which refuses it' },
  PROXY_UNREACHABLE: { code: 'ERR_PROXY', text: 'is not reached: the proxy cannot be' },
  UND_ERR_CONNECT_TIMEOUT: { code: 'ETIMEDOUT', text: 'does not take connections in time' },
  ETIMEDOUT: { code: 'ETIMEDOUT', text: 'does not take connections in time' },
  ECONNREFUSED: { code: 'ECONNREFUSED', text: 'refuses connections' },
  EHOSTUNREACH: { code: 'EHOSTUNREACH', text: 'cannot be reached' },
  ENETUNREACH: { code: 'ENETUNREACH', text: 'cannot be reached' },
  ENOTFOUND: { code: 'ENOTFOUND', text: 'is a name that does not resolve' },
  UND_ERR_SOCKET: { code: 'ECONNRESET', text: 'closed the connection' },
  ECONNRESET: { code: 'ECONNRESET', text: 'closed the connection' },
  EPIPE: { code: 'EPIPE', text: 'closed the connection' },
  UND_ERR_HEADERS_OVERFLOW: { code: 'HPE_HEADER_OVERFLOW', text: 'answered with too many header fields' },
};

/** The text must not tell where a name leads inside this network. */
const refused: Readonly<Record<AddressRefusedError['reason'], string>> = {
  'not-public': 'leads to an address that is not public and may not be reached',
  own: 'leads to an address of the machine of this service, or of its network, that EGRESS_ALLOW does not name',
};

/** `where`: host, and port where it is not the usual one. */
export function failureOf(where: string, error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  if (error instanceof AddressRefusedError) return new RequestFailure(error.code, `${where} ${refused[error.reason]}`);
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const code = String((first as { readonly code?: unknown } | undefined)?.code ?? '');
  const found = known[code];
  if (found !== undefined) return new RequestFailure(found.code, `${where} ${found.text}`);
  if (code.startsWith('EAI_')) return new RequestFailure(code, `${where} could not be resolved; try again`);
  if (isTls(code)) return new RequestFailure(code, `${where} has no certificate that can be trusted (${code})`);
  if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI'))
    return new RequestFailure(code, `${where} answered with a body that cannot be decoded`);
  if (code.startsWith('HPE_') || code.startsWith('UND_ERR_'))
    return new RequestFailure(code, `${where} does not answer as HTTP does`);
  return new RequestFailure(code || 'ERR_REQUEST', `${where} could not be asked`);
}

const isTls = (code: string): boolean =>
  /^(CERT_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$|HOSTNAME_MISMATCH)/.test(code);
