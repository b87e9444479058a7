// Decides who may read the metrics: this machine, and callers with the token.
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isSameSecret } from '../../primitives/same-secret.ts';

export interface MetricsReader {
  /** The address of the other end of the connection. */
  readonly address: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/**
 * `local`: the request is from another machine, or for another host name, and there is no token. `token`: a wrong
 * token.
 */
export type Refusal = 'local' | 'token';

/** Headers with which a proxy on this machine shows that it forwards another client's request. */
const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Undefined if the caller may read them. */
export function refusalOf({ address, headers }: MetricsReader, token: string | undefined): Refusal | undefined {
  const isForwarded = forwardingHeaders.some((name) => headers[name] !== undefined);
  if (isLoopback(address) && isOwnName(headers.host) && !isForwarded) return undefined;
  if (token === undefined) return 'local';
  const sentToken = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  return sentToken !== undefined && isSameSecret(sentToken, token) ? undefined : 'token';
}

const isLoopback = (address = ''): boolean => address === '::1' || /^(::ffff:)?127\./.test(address);

/**
 * Guards against DNS rebinding: a page in a browser of this machine could have its own host name resolve to this
 * machine, and read the answer. A literal address cannot be rebound.
 */
function isOwnName(host: string | undefined): boolean {
  if (host === undefined) return true;
  const name = host.replace(/:\d*$/, '');
  return /^localhost\.?$/i.test(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}
