// Describes why a request has no response, with Node's codes and with texts that name only the host of its URL.
import { AddressRefusedError } from '../addresses/address-refused.ts';
import { connectFailureOf } from '../connect-failure.ts';
import type { ConnectFailure } from '../connect-failure.ts';
import { ProxyRefusedError } from '../tunnel.ts';

/** Why a request failed; `code` is Node's where Node has one. */
export class RequestFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'RequestFailure';
    this.code = code;
  }
}

const failuresByCode: Readonly<Record<string, ConnectFailure>> = {
  PROXY_UNREACHABLE: { code: 'ERR_PROXY', text: 'is not reached: the proxy cannot be' },
  UND_ERR_HEADERS_OVERFLOW: { code: 'HPE_HEADER_OVERFLOW', text: 'answered with too many header fields' },
};

/** The text must not reveal the address of a name inside this network. */
const refusalTexts: Readonly<Record<AddressRefusedError['reason'], string>> = {
  'not-public': 'leads to an address that is not public and may not be reached',
  own: 'leads to an address of the machine of this service, or of its network, that EGRESS_ALLOW does not name',
};

/** `host`: with its port if that is not the default. */
export function failureOf(host: string, error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  if (error instanceof AddressRefusedError)
    return new RequestFailure(error.code, `${host} ${refusalTexts[error.reason]}`);
  if (error instanceof ProxyRefusedError)
    return new RequestFailure('ERR_PROXY', `${host} is not reached through the proxy: ${error.reaction}`);
  const code = String((error as { readonly code?: unknown } | undefined)?.code ?? '');
  const found = failuresByCode[code] ?? connectFailureOf(error);
  if (found !== undefined) return new RequestFailure(found.code, `${host} ${found.text}`);
  if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI'))
    return new RequestFailure(code, `${host} answered with a body that cannot be decoded`);
  if (code.startsWith('HPE_') || code.startsWith('UND_ERR_'))
    return new RequestFailure(code, `${host} does not answer as HTTP does`);
  return new RequestFailure(code || 'ERR_REQUEST', `${host} could not be asked`);
}
