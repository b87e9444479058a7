// The target of a request, in the one form that the rest of the gateway reads: a path and a query.
import type { IncomingMessage } from 'node:http';

/**
 * A proxy's client may send a whole URL (RFC 9112 3.2.2). Its host is ignored, since the service knows its own address.
 * Any other form stays as it is, and matches no route.
 */
export function originForm({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  if (url.startsWith('/')) return url;
  const rest = /^https?:\/\/[^/?#]*(.*)$/is.exec(url)?.[1];
  if (rest === undefined) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Without the query, as it was written. */
export const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? '/';
