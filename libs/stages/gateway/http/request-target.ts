// Brings the target of a request into the form that the rest of the gateway reads: a path and a query.
import type { IncomingMessage } from 'node:http';

/**
 * A client of a proxy can send a whole URL (RFC 9112 3.2.2). Its host is ignored, since the service knows its address.
 * Any other form stays unchanged, and matches no route.
 */
export function originForm({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  if (url.startsWith('/')) return url;
  const rest = /^https?:\/\/[^/?#]*(.*)$/is.exec(url)?.[1];
  if (rest === undefined) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The path without the query, not decoded. */
export const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? '/';
