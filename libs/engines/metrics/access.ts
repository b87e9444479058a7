// Who may read the metrics: this machine, and anyone who has the token.
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isSameSecret } from '../../primitives/same-secret.ts';

export interface Reader {
  /** Of the other end of the connection. */
  readonly address: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** `local`: it comes from another machine, or by another name, and there is no token. `token`: it has not sent the right one. */
export type Refusal = 'local' | 'token';

/** A proxy on this machine says with one of these that it asks for somebody else. */
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Undefined: it may read them. */
export function refusalOf({ address, headers }: Reader, token: string | undefined): Refusal | undefined {
  const isForwarded = forwarding.some((name) => headers[name] !== undefined);
  if (isLoopback(address) && isOwnName(headers.host) && !isForwarded) return undefined;
  if (token === undefined) return 'local';
  const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  return given !== undefined && isSameSecret(given, token) ? undefined : 'token';
}

const isLoopback = (address = ''): boolean => address === '::1' || /^(::ffff:)?127\./.test(address);

/** A page in a browser of this machine may have its own name lead here, and would read what it asks; it has no address. */
function isOwnName(host: string | undefined): boolean {
  if (host === undefined) return true;
  const name = host.replace(/:\d*$/, '');
  return /^localhost\.?$/i.test(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}
